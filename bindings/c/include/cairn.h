#ifndef CAIRN_H
#define CAIRN_H
// Cairn in C: paths on grid maps and navigation meshes, for C99, C++ and every language that can
// call C. Link with libcairn (pkg-config: cairn-c).
//
//     #include <cairn.h>
//     #include <stdio.h>
//
//     int main(void) {
//         cairn_map* map = NULL;
//         cairn_index* index = NULL;
//         cairn_searcher* searcher = NULL;
//         cairn_answer* answer = NULL;
//         cairn_path path = CAIRN_INIT(cairn_path);
//         const cairn_cell start = {35, 252}, goal = {222, 217};
//         if (cairn_map_load("maps/rooms.map", NULL, &map) ||
//             cairn_index_build("subgoal", map, NULL, 0, NULL, &index) ||
//             cairn_searcher_create(index, &searcher) ||
//             cairn_find(searcher, NULL, start, goal, &answer) ||
//             cairn_answer_get(answer, &path))
//             return puts(cairn_last_message()), 1;
//         printf("%zu cells, cost %u\n", path.num_cells, (unsigned)path.cost);
//         cairn_answer_free(answer);
//         cairn_searcher_free(searcher);
//         cairn_index_free(index);
//         cairn_map_free(map);
//         return 0;
//     }
//
// The objects
//
//   cairn_map       a grid, a grid annotated for agents of several sizes, or a navigation mesh
//   cairn_index     what a planner has computed of a map, once, for any number of queries
//   cairn_query     the options of queries, parsed once
//   cairn_world     a map that changes, and its index
//   cairn_searcher  answers queries on an index or a world, and keeps their working memory
//   cairn_answer    the answer to one query
//   cairn_paths     the answers to the many requests of a batch
//   cairn_discs     an index of a mesh for agents of several radii, with searchers of its own
//   cairn_graph     the graph of an index, for pictures; cairn_trace the steps of a search
//
// Rules for all functions
//
//   Handles   A function with a last argument `cairn_X** x` makes an object, which cairn_X_free
//             frees. On an error *x is null. cairn_answer and cairn_paths differ: if *x is not
//             null, that object is used again with its memory; else one is made, and remains also
//             on an error. Objects hold what they use: an index may be freed while a searcher of it
//             is in use. cairn_X_free(NULL) does nothing.
//   Threads   Maps, indexes, queries and worlds may be used by any number of threads at once, and a
//             cairn_cancel may be set by any. Searchers, answers, paths, graphs and traces belong
//             to one thread at a time. Freeing an object is the last use of that handle.
//   Errors    A call that can fail returns a cairn_status. Unless that is CAIRN_OK,
//             cairn_last_message() says on the same thread what is wrong. All calls may return
//             CAIRN_BAD_OPTION (a pointer is null that must not be, a struct has a wrong `size`)
//             and CAIRN_OUT_OF_MEMORY; the object that was called on is then as before, and the
//             same call may be made again. CAIRN_UNSUPPORTED is also returned where the library was
//             built without the part that a call needs (cairn_has). No call throws or ends the
//             program, but for the cases in cairn/status.hpp where another library cannot take a
//             failed allocation.
//   Structs   that begin with `size` may grow in later versions. Start with CAIRN_INIT(type), which
//             sets `size` and makes all else 0. In an option 0 always means the default, and a null
//             pointer in place of the options means all defaults. Members that a newer program has
//             set but an older library does not know are CAIRN_BAD_OPTION. Structs without `size`
//             never change.
//   Text      is UTF-8 with a null byte at its end. Paths of files are as the system takes them.
//   Arrays    are copied unless a function says otherwise. `stride` is the number of bytes from one
//             element to the next and may be negative; 0 means that they are packed. Elements need
//             not be aligned. A pointer may be null where the count is 0.
//   Callbacks must not throw, and must not call cairn_X_free on an object that the call uses.
//   Costs     are integers in units of the map's cost model: a straight step over terrain of weight
//             w costs 408 w, a diagonal one 577 w (cairn_map_options); on meshes a unit of length
//             costs units_per_length (cairn_map_info). CAIRN_INFINITY stands for no path.
//   Time      Accessors are O(1) unless they say otherwise. All else takes what the C++ function of
//             the same name takes; the headers in cairn/ say it.

#include <stddef.h>
#include <stdint.h>

#include "cairn/version.h"

#if defined(CAIRN_C_BUILD) && defined(__GNUC__)
#define CAIRN_API __attribute__((visibility("default")))
#else
#define CAIRN_API
#endif

#ifdef __cplusplus
/// A struct with its `size` set, and all else 0.
template <class T>
inline T cairn_init() {
    T value{};
    value.size = sizeof(T);
    return value;
}
#define CAIRN_INIT(type) cairn_init<type>()
extern "C" {
#else
#define CAIRN_INIT(type) ((type){.size = sizeof(type)})
#endif

/// The cost that stands for no path; all other costs are below it.
#define CAIRN_INFINITY 0x7fffffffu
/// No polygon, cell or link.
#define CAIRN_NONE 0xffffffffu

typedef struct cairn_map cairn_map;
typedef struct cairn_index cairn_index;
typedef struct cairn_query cairn_query;
typedef struct cairn_world cairn_world;
typedef struct cairn_searcher cairn_searcher;
typedef struct cairn_answer cairn_answer;
typedef struct cairn_paths cairn_paths;
typedef struct cairn_discs cairn_discs;
typedef struct cairn_disc_searcher cairn_disc_searcher;
typedef struct cairn_problems cairn_problems;
typedef struct cairn_cancel cairn_cancel;
typedef struct cairn_bytes cairn_bytes;

// Statuses.

/// The result of a call. The numbers are those of cairn::StatusCode; later versions only add some.
typedef int32_t cairn_status;
enum {
    CAIRN_OK = 0,
    CAIRN_START_OUTSIDE = 1,     ///< the start lies outside the map
    CAIRN_GOAL_OUTSIDE = 2,      ///< the goal lies outside the map
    CAIRN_START_BLOCKED = 3,     ///< the start lies on an obstacle
    CAIRN_GOAL_BLOCKED = 4,      ///< the goal lies on an obstacle
    CAIRN_NO_PATH = 5,           ///< start and goal are valid, but no path connects them
    CAIRN_OVER_COST_LIMIT = 6,   ///< no path costs at most cairn_limits.max_cost
    CAIRN_BUDGET_EXHAUSTED = 7,  ///< a limit was reached before the answer was known
    CAIRN_CANCELLED = 8,         ///< the caller asked to stop
    CAIRN_STALE_INDEX = 9,       ///< an index and an answer are of different states of a map
    CAIRN_UNSUPPORTED = 10,      ///< the call has no meaning for this planner, map or library
    CAIRN_BAD_OPTION = 11,       ///< an argument or option is out of its range
    CAIRN_TOO_LARGE = 12,        ///< a size would not fit its type, or exceeds a stated limit
    CAIRN_IO_ERROR = 13,         ///< the operating system refused to read or write a file
    CAIRN_CORRUPT_FILE = 14,     ///< the bytes of a file contradict its format
    CAIRN_WRONG_VERSION = 15,    ///< the file was written by an incompatible version
    CAIRN_WRONG_MAP = 16,        ///< the index file belongs to another map
    CAIRN_NO_DEVICE = 17,        ///< there is no such device
    CAIRN_OUT_OF_MEMORY = 18,    ///< there is not enough memory
    CAIRN_DEVICE_FAILED = 19,    ///< a device reported an error
    CAIRN_COST_TOO_LARGE = 20    ///< there is a path, but its cost is not below CAIRN_INFINITY
};

/// What was wrong with the last call of this thread that did not return CAIRN_OK; empty before. The
/// message names the file, option or argument. Valid until the thread's next such call.
CAIRN_API const char* cairn_last_message(void);
/// The name of a status, such as "no_path"; "unknown" for other numbers.
CAIRN_API const char* cairn_status_name(cairn_status status);
/// The meaning of a status in a few words.
CAIRN_API const char* cairn_status_text(cairn_status status);

// The library.

/// The version of the library, such as "1.2.3". That of this header is CAIRN_VERSION_STRING.
CAIRN_API const char* cairn_version(void);
/// CAIRN_OK if a program that was compiled with this version of the header may use the library;
/// else CAIRN_WRONG_VERSION. Call it as cairn_check_version(CAIRN_VERSION_MAJOR,
/// CAIRN_VERSION_MINOR). Before 1.0 both numbers must be equal; from then on the first must be
/// equal and the second at most the library's.
CAIRN_API cairn_status cairn_check_version(int major, int minor);
/// 1 if the library has a part: "hpa", "subgoal", "haa", "mesh", "hna", "batch", "world",
/// "formats" (MovingAI's), "more_formats" (pictures, YAML, Polyanya's meshes), "tiled" (maps of
/// Tiled), "index_file", "render", "detour", "threads" (a pool of threads); else 0.
CAIRN_API int cairn_has(const char* part);

/// A value for the option of that name, as a user writes it: {"cluster_size", "16"}.
typedef struct cairn_setting {
    const char* name;
    const char* value;
} cairn_setting;

/// What a planner's paths lead over.
enum { CAIRN_GRID = 0, CAIRN_MESH = 1 };

/// A planner of this library. Its texts are valid as long as the library is loaded.
typedef struct cairn_planner {
    uint32_t size;
    int32_t space;              ///< CAIRN_GRID or CAIRN_MESH
    const char* name;           ///< "hpa"; unique within a space
    const char* summary;        ///< one line, for users
    int32_t exact;              ///< 1: every path is of least cost
    int32_t has_index;          ///< 1: its index can be saved
    int32_t has_labels;         ///< 1: its index can have labels
    uint32_t num_options;       ///< fields that cairn_index_build takes
    uint32_t num_query_fields;  ///< fields that cairn_query_create takes
} cairn_planner;

/// The number of planners. They are numbered from 0, those of grids first.
CAIRN_API uint32_t cairn_num_planners(void);
/// Describes a planner. Errors: CAIRN_BAD_OPTION (no such number).
CAIRN_API cairn_status cairn_planner_get(uint32_t planner, cairn_planner* info);
/// The number of the planner of a name; CAIRN_NONE if there is none.
CAIRN_API uint32_t cairn_planner_find(const char* name, int32_t space);

/// Which fields of a planner.
enum { CAIRN_OPTIONS = 0, CAIRN_QUERY = 1 };
/// The type of a field's values.
enum {
    CAIRN_FLAG = 0,     ///< true or false
    CAIRN_INTEGER = 1,  ///< a whole number
    CAIRN_NUMBER = 2,   ///< any finite number
    CAIRN_SIZE = 3,     ///< a whole number; as text it may end in k, M or G (times 1024, ...)
    CAIRN_CHOICE = 4    ///< one of some words
};

/// An option of a planner or of its queries. Texts are valid as long as the library is loaded.
typedef struct cairn_field {
    uint32_t size;
    int32_t type;          ///< CAIRN_FLAG to CAIRN_CHOICE
    const char* name;      ///< "cluster_size"
    const char* help;      ///< one line, without a full stop
    double least;          ///< inclusive; 0 for choices
    double most;           ///< inclusive; 0 for choices
    double usual;          ///< the default; of a choice its position among the choices
    uint32_t num_choices;  ///< 0 unless the type is CAIRN_CHOICE
} cairn_field;

/// Describes a field of a planner. `which`: CAIRN_OPTIONS or CAIRN_QUERY. Errors: CAIRN_BAD_OPTION
/// (no such planner or field).
CAIRN_API cairn_status cairn_planner_field(uint32_t planner, int32_t which, uint32_t field,
                                           cairn_field* info);
/// A choice of a field; null if there is none of this number.
CAIRN_API const char* cairn_planner_choice(uint32_t planner, int32_t which, uint32_t field,
                                           uint32_t choice);

// Control of long calls.

/// A flag that any thread may set to stop the calls that it was given to. They then return
/// CAIRN_CANCELLED soon.
CAIRN_API cairn_status cairn_cancel_create(cairn_cancel** cancel);
CAIRN_API void cairn_cancel_set(cairn_cancel* cancel);
CAIRN_API void cairn_cancel_reset(cairn_cancel* cancel);
CAIRN_API void cairn_cancel_free(cairn_cancel* cancel);

/// A task of cairn_control.run: `data` is what `run` was given.
typedef void (*cairn_task)(void* data, size_t task);

/// Control over a build or a batch.
typedef struct cairn_control {
    uint32_t size;
    /// The number of workers, 1 to 1,024; 0: one for each processor, or all of `workers`. The
    /// result does not depend on it.
    int32_t threads;
    /// Called with the fraction of the work done, 0 to 1, never decreasing, at most a few hundred
    /// times: from different threads, but never from two at once. If it returns another number than
    /// 0, the call stops and returns CAIRN_CANCELLED; `cancel`, if given, is then set.
    int (*progress)(void* user, double fraction);
    void* user;            ///< passed to `progress`
    cairn_cancel* cancel;  ///< null: none
    /// Runs the work instead of Cairn's threads, as cairn::JobSystem: calls task(data, i) once for
    /// each i below `tasks`, on any threads, and returns when all have returned. Null: Cairn's.
    void (*run)(void* context, size_t tasks, cairn_task task, void* data);
    void* context;    ///< passed to `run`
    int32_t workers;  ///< of `run`: the number of tasks to make, 1 to 1,024
} cairn_control;

// Maps.

/// The kinds of a cairn_map.
enum {
    CAIRN_KIND_GRID = 0,    ///< for hpa, subgoal, astar, jps
    CAIRN_KIND_AGENTS = 1,  ///< for haa
    CAIRN_KIND_MESH = 2     ///< for hna, and astar on meshes
};
/// The meaning of a map's bytes.
enum {
    CAIRN_LETTERS = 0,  ///< MovingAI's: '.', 'G' and 'S' are free, all others are obstacles
    CAIRN_DIGITS = 1,   ///< the same, and the digits '1' to '9' are terrain of that weight
    CAIRN_WEIGHTS = 2   ///< the byte is the weight of its terrain; 0 is an obstacle
};
enum { CAIRN_EIGHT = 0, CAIRN_FOUR = 1 };
/// When a diagonal step may pass the corner of an obstacle.
enum {
    CAIRN_CORNER_STRICT = 0,        ///< both cells beside it must be free
    CAIRN_CORNER_BOTH_BLOCKED = 1,  ///< illegal only if both are blocked
    CAIRN_CORNER_FREE = 2           ///< always legal
};

/// How a grid is made.
typedef struct cairn_map_options {
    uint32_t size;
    int32_t terrain;         ///< CAIRN_LETTERS, CAIRN_DIGITS or CAIRN_WEIGHTS
    const uint8_t* weights;  ///< 256 weights, one for each byte, in place of `terrain`; or null
    int32_t neighbours;      ///< CAIRN_EIGHT or CAIRN_FOUR
    int32_t corner;          ///< CAIRN_CORNER_STRICT, ...
    uint32_t straight;       ///< cost of a straight step over weight 1; 0: 408
    uint32_t diagonal;       ///< cost of a diagonal step, straight to 2 * straight; 0: 577
    // The position in the world, as a map_server YAML has it. A file's own position counts more.
    double resolution;  ///< side of a cell, finite and above 0; 0: no position
    double origin_x;    ///< the lower left corner; y grows upwards, rows are counted downwards
    double origin_y;
    double yaw;  ///< the map is turned by so many radians about that corner, counterclockwise
    // For files:
    int32_t unknown_is_free;  ///< 1: unknown cells of a YAML map are free
    uint32_t max_pixels;      ///< of pictures that are read; 0: 2^26
    /// A JSON file that gives the colours of a PNG map their terrain, 0 to 15: see
    /// cairn/formats/palette.hpp. Unless `weights` are given, these have weight 1. Use
    /// cairn_agents.key_numbers. Null: bright pixels are free.
    const char* palette;
    // For maps of Tiled; see cairn/formats/tiled.hpp.
    const char* layer;          ///< the tile layer whose tiles are walls; null: properties say it
    const char* wall_property;  ///< the bool property of tiles that are walls; null: "blocked"
    int32_t empty_is_free;      ///< 1: cells without a tile are free
} cairn_map_options;

/// A grid of width x height cells, 1 to 32,768 each, from bytes: row 0 is the top one, `row_stride`
/// is the number of bytes from row to row (0: width; it may be negative). Errors: CAIRN_BAD_OPTION.
/// O(cells).
CAIRN_API cairn_status cairn_map_create(int32_t width, int32_t height, const uint8_t* bytes,
                                        ptrdiff_t row_stride, const cairn_map_options* options,
                                        cairn_map** map);
/// A grid from a file, by its extension: .map (MovingAI), .png, .pgm, .npy (NumPy), .yaml (Nav2 and
/// map_server), .tmj and .tmx (Tiled); without one by its bytes.
/// All have letters, or digits where cells have weights (CAIRN_DIGITS). Errors: CAIRN_IO_ERROR;
/// CAIRN_CORRUPT_FILE, with the line or pixel; CAIRN_TOO_LARGE; CAIRN_UNSUPPORTED (another
/// extension). O(file).
CAIRN_API cairn_status cairn_map_load(const char* path, const cairn_map_options* options,
                                      cairn_map** map);
/// The same from the bytes of a MovingAI map, a PNG or PGM picture, an array of NumPy or a map of
/// Tiled, told apart by the first ones.
CAIRN_API cairn_status cairn_map_parse(const void* bytes, size_t num_bytes,
                                       const cairn_map_options* options, cairn_map** map);
/// Writes the terrain of a grid by the file's extension: .map, .png, .pgm or .yaml (with a .pgm
/// beside it); or a mesh as .mesh (Polyanya's). Bytes that are weights up to 9 become letters and
/// digits. Errors: CAIRN_UNSUPPORTED (another extension, or what the format cannot hold);
/// CAIRN_BAD_OPTION (a byte that no letter stands for); CAIRN_IO_ERROR. O(map).
CAIRN_API cairn_status cairn_map_save(const cairn_map* map, const char* path);
CAIRN_API void cairn_map_free(cairn_map* map);

/// The agents of a map: they cover size x size cells, and differ in the terrain they can stand on.
typedef struct cairn_agents {
    uint32_t size;
    int32_t max_size;  ///< the largest agent, 1 to 16; 0: 2
    int32_t centred;   ///< 1: an agent's position is its middle cell; 0: its top left one
    /// 1: the map's bytes 0 to 15 are terrains, others are obstacles. 0: MovingAI letters: '.' and
    /// 'G' are terrain 0 (ground), 'T' 1 (trees), 'S' 2 (swamp), 'W' 3 (water).
    int32_t key_numbers;
    /// 256 terrains, one for each byte, 0 to 15, or 255 for obstacles, in place of `key_numbers`.
    const uint8_t* key;
    /// For each capability 16 bytes: the factor of its costs on each terrain; 0: it cannot stand
    /// there. Null: one capability, for terrain 0.
    const uint8_t* capabilities;
    uint32_t num_capabilities;  ///< 1 to 16; times max_size at most 127
} cairn_agents;

/// The map of a grid for agents of several sizes and capabilities (HAA*): its bytes, move rules and
/// costs; not its weights. Errors: CAIRN_BAD_OPTION; CAIRN_UNSUPPORTED (not a grid).
/// O(cells * capabilities).
CAIRN_API cairn_status cairn_map_with_agents(const cairn_map* grid, const cairn_agents* agents,
                                             cairn_map** map);

/// What is known of a map. Members of other kinds are 0.
typedef struct cairn_map_info {
    uint32_t size;
    int32_t kind;          ///< CAIRN_KIND_GRID, ...
    uint64_t bytes;        ///< memory that it takes, with what it shares with others
    uint64_t fingerprint;  ///< the same for equal maps on every machine
    // Of grids, and for agents:
    int32_t width;
    int32_t height;
    uint64_t free_cells;  ///< of grids only
    int32_t neighbours;
    int32_t corner;
    uint32_t straight;
    uint32_t diagonal;
    double resolution;  ///< 0: no position in the world
    double origin_x;
    double origin_y;
    double yaw;
    // For agents:
    int32_t max_size;
    uint32_t num_capabilities;
    // Of meshes:
    uint32_t num_polygons;  ///< with those removed, and connections
    uint32_t num_portals;
    uint64_t num_vertices;
    uint64_t num_corners;  ///< of all polygons
    double units_per_length;
} cairn_map_info;

/// Describes a map. O(map).
CAIRN_API cairn_status cairn_map_get(const cairn_map* map, cairn_map_info* info);
/// Copies the bytes of a grid, or of one for agents, row by row. Errors: CAIRN_UNSUPPORTED (a
/// mesh).
CAIRN_API cairn_status cairn_map_copy_bytes(const cairn_map* map, uint8_t* bytes,
                                            ptrdiff_t row_stride);
/// The cell at a point of the world, which may be outside; and the centre of a cell. Errors:
/// CAIRN_UNSUPPORTED (the map has no position).
CAIRN_API cairn_status cairn_map_to_cell(const cairn_map* map, double x, double y, int32_t cell[2]);
CAIRN_API cairn_status cairn_map_to_world(const cairn_map* map, int32_t column, int32_t row,
                                          double point[2]);
/// The cost of a path over cells of a grid; CAIRN_INFINITY if a step is not legal or the path is
/// empty. Its length is 1 for a straight and sqrt 2 for a diagonal step, times weights. Errors:
/// CAIRN_UNSUPPORTED (not a grid); CAIRN_BAD_OPTION (no such cell). Either result may be null.
CAIRN_API cairn_status cairn_map_measure(const cairn_map* map, const uint32_t* cells,
                                         size_t num_cells, uint32_t* cost, double* length);

// Navigation meshes.

/// How paths on a mesh are scored.
enum {
    CAIRN_MIDPOINTS = 0,  ///< lines over the middles of portals, as Detour does
    CAIRN_CENTRES = 1,    ///< lines from polygon centre to polygon centre
    CAIRN_PARTS = 2       ///< over the middles of parts of portals, for the shortest paths
};

/// How a mesh is made. Areas are numbered 0 to 63.
typedef struct cairn_mesh_options {
    uint32_t size;
    int32_t scoring;           ///< CAIRN_MIDPOINTS, ...
    const double* area_costs;  ///< of 64 areas a unit of length's; infinity: closed; null: all 1
    double units_per_length;   ///< of costs; 0: chosen so that all paths fit
    double longest_part;       ///< of CAIRN_PARTS; 0: half the mean length of portals
    double radius;             ///< of agents; portals narrower than twice this are closed
    int32_t accept_odd;        ///< 1: polygons that are not convex, or without area, are kept
    /// Recast's options for .obj files, such as {"cell_size", "0.2"}: cell_size, cell_height,
    /// agent_height, agent_radius, agent_climb, agent_slope, region_min_size, region_merge_size,
    /// edge_max_length, edge_max_error, corners, detail_sample_distance, detail_max_error,
    /// tile_size. See cairn/detour/recast_builder.hpp.
    const cairn_setting* recast;
    size_t num_recast;
} cairn_mesh_options;

/// A segment that two polygons share. See cairn/mesh/mesh.hpp for its rules.
typedef struct cairn_portal {
    uint32_t first;
    uint32_t second;
    double begin[3];
    double end[3];
    double width;     ///< agents of at most half of this may cross; 0 or more, infinity for all
    int32_t one_way;  ///< 0; 1: only from first to second; 2: only from second to first
} cairn_portal;

/// A ladder, jump or other connection between points of two polygons.
typedef struct cairn_connection {
    uint32_t from;
    uint32_t to;
    double begin[3];
    double end[3];
    int32_t area;
    int32_t one_way;  ///< 1: only from `from` to `to`
} cairn_connection;

/// The arrays of a mesh; y is up. Arrays are packed.
typedef struct cairn_mesh_arrays {
    uint32_t size;
    uint32_t num_polygons;
    const double* vertices;  ///< x, y and z of each
    size_t num_vertices;
    /// The corners of polygon p are corners[first_corner[p]] up to, not including,
    /// corners[first_corner[p + 1]]: numbers of vertices around it, in either sense.
    const uint32_t* first_corner;  ///< num_polygons + 1 numbers
    const uint32_t* corners;
    size_t num_corners;
    const uint8_t* areas;  ///< of each polygon; null: all 0
    /// Null: found, where two polygons share two neighbouring corners.
    const cairn_portal* portals;
    size_t num_portals;
    /// They become polygons, numbered after those above.
    const cairn_connection* connections;
    size_t num_connections;
} cairn_mesh_arrays;

/// A mesh from arrays. Errors: those of cairn::mesh::Mesh::build, with the polygon, vertex or
/// portal at fault: CAIRN_BAD_OPTION, CAIRN_CORRUPT_FILE, CAIRN_TOO_LARGE.
CAIRN_API cairn_status cairn_mesh_create(const cairn_mesh_arrays* arrays,
                                         const cairn_mesh_options* options, cairn_map** mesh);
/// A mesh from a file, by its extension: .mesh (Polyanya's), .bin (Detour's tile sets), .obj
/// (geometry, of which Recast builds a mesh; `control` may be null). Errors: those of the reader.
CAIRN_API cairn_status cairn_mesh_load(const char* path, const cairn_mesh_options* options,
                                       const cairn_control* control, cairn_map** mesh);
/// A mesh of the free cells of a grid, merged into rectangles. The cell (x, y) covers x to x + 1
/// and z = y to y + 1 at height 0. Weights become area costs. Errors: CAIRN_UNSUPPORTED (not a
/// grid, or more than 64 weights); those of cairn_mesh_create.
CAIRN_API cairn_status cairn_mesh_from_grid(const cairn_map* grid,
                                            const cairn_mesh_options* options, cairn_map** mesh);
/// Copies a mesh into arrays of the caller's; any may be null. Their sizes are as in
/// cairn_mesh_arrays, with cairn_map_info's numbers: vertices (3 * num_vertices), first_corner
/// (num_polygons + 1), corners (num_corners), areas and blocked (num_polygons; 1: blocked). A
/// connection has two corners, a removed polygon none. Errors: CAIRN_UNSUPPORTED (not a mesh).
CAIRN_API cairn_status cairn_mesh_copy(const cairn_map* mesh, double* vertices,
                                       uint32_t* first_corner, uint32_t* corners, uint8_t* areas,
                                       uint8_t* blocked);

// Places.

/// A cell of a grid by its column and row. In paths cells are numbers: row * width + column.
typedef struct cairn_cell {
    int32_t x;
    int32_t y;
} cairn_cell;

/// A point on a mesh.
typedef struct cairn_place {
    double x;
    double y;
    double z;
    uint32_t polygon;  ///< that contains it; CAIRN_NONE: it is located, by hna only
} cairn_place;

/// A list of places. Either `cells` or `points` is given.
typedef struct cairn_places {
    uint32_t size;
    size_t count;
    const int32_t* cells;      ///< x and y of each
    const double* points;      ///< x, y and z of each
    ptrdiff_t stride;          ///< of `cells` or `points`
    const uint32_t* polygons;  ///< of `points`; null: all CAIRN_NONE
    ptrdiff_t polygons_stride;
} cairn_places;

/// The polygons of a mesh that contain points, seen from above; of several the one nearest above or
/// below; CAIRN_NONE outside. Errors: CAIRN_UNSUPPORTED (not a mesh). O(polygons), and about 0.1
/// microseconds a point.
CAIRN_API cairn_status cairn_mesh_locate(const cairn_map* mesh, const cairn_places* places,
                                         uint32_t* polygons);

// Indexes.

/// Builds the index of a planner: "hpa", "subgoal", "haa", "hna", or of a planner without an index
/// "astar" or "jps", which needs next to no time. "auto" is the planner that suits the map: subgoal
/// where subgoal graphs apply, haa for agents, hna for meshes, else hpa. Errors: CAIRN_UNSUPPORTED
/// (no such planner, or a map of another kind); CAIRN_BAD_OPTION (a setting); CAIRN_CANCELLED;
/// CAIRN_TOO_LARGE.
CAIRN_API cairn_status cairn_index_build(const char* planner, const cairn_map* map,
                                         const cairn_setting* settings, size_t num_settings,
                                         const cairn_control* control, cairn_index** index);
/// Loads an index file of any planner. It is mapped into memory: do not truncate it. `map` must be
/// given if the file does not hold it, as those of hpa and subgoal that cairn_index_save has
/// written; else it may be null, or is compared.
/// Errors: CAIRN_IO_ERROR; CAIRN_CORRUPT_FILE; CAIRN_WRONG_VERSION; CAIRN_WRONG_MAP;
/// CAIRN_UNSUPPORTED (the map is missing or of another kind, or no such planner).
CAIRN_API cairn_status cairn_index_load(const char* path, const cairn_map* map,
                                        cairn_index** index);
/// How much of a file is checked. CAIRN_CHECK_CONTENTS: all, so that any bytes are safe, as
/// cairn_index_load does; CAIRN_CHECK_CHECKSUMS: only that the file is not damaged;
/// CAIRN_CHECK_NONE: nothing, for large files of one's own: those of hpa with their map then open
/// in milliseconds.
enum { CAIRN_CHECK_CONTENTS = 0, CAIRN_CHECK_CHECKSUMS = 1, CAIRN_CHECK_NONE = 2 };
/// cairn_index_load with these checks. Further errors: CAIRN_BAD_OPTION (no such checks).
CAIRN_API cairn_status cairn_index_load_checked(const char* path, const cairn_map* map,
                                                int32_t checks, cairn_index** index);
/// The same from the bytes of such a file, which are copied.
CAIRN_API cairn_status cairn_index_from_bytes(const void* bytes, size_t num_bytes,
                                              const cairn_map* map, cairn_index** index);
/// Writes an index file, completely or not at all. Errors: CAIRN_UNSUPPORTED (the planner has no
/// index); CAIRN_IO_ERROR.
CAIRN_API cairn_status cairn_index_save(const cairn_index* index, const char* path);
/// The same with the map in the file, which is then loaded without it: of hpa and subgoal; those of
/// haa and hna hold their map anyway.
CAIRN_API cairn_status cairn_index_save_with_map(const cairn_index* index, const char* path);
/// The bytes of the file of cairn_index_save.
CAIRN_API cairn_status cairn_index_to_bytes(const cairn_index* index, cairn_bytes** bytes);
CAIRN_API void cairn_index_free(cairn_index* index);

/// What is known of an index.
typedef struct cairn_index_info {
    uint32_t size;
    uint32_t planner;     ///< its number
    int32_t has_labels;   ///< 1: answers come from labels
    int32_t has_closure;  ///< 1: answers can come from the labels' closure, as after an edit
    uint64_t memory;      ///< in bytes; 0 for planners without an index
} cairn_index_info;

/// Describes an index. O(index).
CAIRN_API cairn_status cairn_index_get(const cairn_index* index, cairn_index_info* info);
/// The map of an index; after edits the edited one. It has no position in the world.
CAIRN_API cairn_status cairn_index_map(const cairn_index* index, cairn_map** map);
/// The value of an option that the index was built with; of a choice its position among the
/// choices. Errors: CAIRN_BAD_OPTION (no such option).
CAIRN_API cairn_status cairn_index_option(const cairn_index* index, const char* name,
                                          double* value);

/// Sets the terrain of a rectangle of cells. An array of these is an array of int32[5].
typedef struct cairn_terrain_edit {
    int32_t x;
    int32_t y;
    int32_t width;
    int32_t height;
    int32_t terrain;  ///< the map's byte, 0 to 255
} cairn_terrain_edit;
/// Sets the state of a polygon. An array of these is an array of uint32[3].
typedef struct cairn_polygon_edit {
    uint32_t polygon;
    uint32_t area;     ///< 0 to 63
    uint32_t blocked;  ///< 1: no path may enter it
} cairn_polygon_edit;

/// Changes of a map, made in order. Either `cells` or `polygons` is given.
typedef struct cairn_edits {
    uint32_t size;
    size_t count;
    const cairn_terrain_edit* cells;
    const cairn_polygon_edit* polygons;
} cairn_edits;

/// The index after edits; this one does not change. It answers like an index built afresh, at first
/// without labels. Errors: CAIRN_BAD_OPTION (an edit outside the map); CAIRN_UNSUPPORTED (edits of
/// the other space).
CAIRN_API cairn_status cairn_index_edited(const cairn_index* index, const cairn_edits* edits,
                                          cairn_index** edited);

/// Removes and adds polygons of a mesh, for instance those of a tile. Numbers of polygons stay: the
/// added ones follow those of the mesh, and the added connections follow these.
typedef struct cairn_mesh_change {
    uint32_t size;
    const uint32_t* removed;
    size_t num_removed;
    /// Null: none. Their corners are numbers of these vertices. They get exactly the portals given
    /// here. Portals and connections may name polygons of the mesh that stay.
    const cairn_mesh_arrays* added;
    const cairn_polygon_edit* edits;  ///< of polygons that stay or are added; may be null
    size_t num_edits;
    int32_t accept_odd;  ///< as in cairn_mesh_options, of added polygons
} cairn_mesh_change;

/// The changed mesh; `mesh` does not change. Removed polygons and unused vertices stay in its
/// arrays: create it anew when there are many. Errors: as cairn_mesh_create, of added polygons by
/// their new numbers; CAIRN_BAD_OPTION (a polygon to remove or edit that does not exist, was
/// removed before or is listed twice); CAIRN_UNSUPPORTED (not a mesh). O(mesh).
CAIRN_API cairn_status cairn_mesh_changed(const cairn_map* mesh, const cairn_mesh_change* change,
                                          cairn_map** changed);
/// The index of the changed mesh; `index` does not change. It answers like an index built afresh of
/// that mesh, at first without labels. Only what is near removed and added polygons is computed
/// anew, unless they make the mesh one-way or need coarser costs. Errors: as cairn_mesh_changed;
/// CAIRN_UNSUPPORTED (an index of a grid); those of cairn_index_build.
CAIRN_API cairn_status cairn_index_changed(const cairn_index* index,
                                           const cairn_mesh_change* change, cairn_index** changed);
/// The index with the labels that its options ask for, or the same index if nothing is missing. For
/// haa name the agents to prepare: `agents` are the size and capability of each; without any, the
/// classes that were used before. Other planners ignore them. Errors: CAIRN_CANCELLED;
/// CAIRN_BAD_OPTION (no such agent); CAIRN_TOO_LARGE.
CAIRN_API cairn_status cairn_index_with_labels(const cairn_index* index, const int32_t* agents,
                                               size_t num_agents, const cairn_control* control,
                                               cairn_index** labelled);
/// The index of the same map for units with other terrain costs. For hpa and astar `costs` are 256
/// weights, one for each byte of the map, 0 exactly for obstacles. For haa they are 16 for each
/// capability, as cairn_agents.capabilities, 0 exactly for terrains where it cannot stand. The map
/// is shared. The result equals an index built afresh, but for the order of labels after edits.
/// With hpa it takes less time than a build, unless the option `transitions` is by-cost and the map
/// has several weights before or after. Errors: CAIRN_BAD_OPTION (other obstacles, another number
/// of costs); CAIRN_CANCELLED; CAIRN_UNSUPPORTED (another planner).
CAIRN_API cairn_status cairn_index_with_costs(const cairn_index* index, const uint8_t* costs,
                                              size_t num_costs, const cairn_control* control,
                                              cairn_index** changed);

// The graph of an index, for pictures and other programs.

typedef struct cairn_graph cairn_graph;
/// What an edge of a graph stands for.
enum {
    CAIRN_EDGE_INTER = 0,    ///< hpa, haa: a move across the border of two clusters
    CAIRN_EDGE_INTRA = 1,    ///< hpa, haa, hna: the cheapest path inside a cluster
    CAIRN_EDGE_SUBGOAL = 2,  ///< subgoal: an edge that shortest paths can do without
    CAIRN_EDGE_TAUT = 3      ///< subgoal: an edge that is used
};
/// The graph of one level. Nodes and edges are named by their positions. Arrays belong to the
/// cairn_graph.
typedef struct cairn_graph_lists {
    uint32_t size;
    int32_t level;
    int32_t levels;  ///< of the index
    size_t num_nodes;
    const double* places;        ///< 3 for each node: column, row and 0; on meshes a point
    const uint32_t* ids;         ///< the cell, or the portal of a mesh
    const uint8_t* node_levels;  ///< the highest level that has the node
    /// How deep its separator lies in the tree of the labels, 0 at the top; CAIRN_NONE without it.
    const uint32_t* depths;
    size_t num_edges;
    const uint32_t* edges;  ///< 2 nodes for each edge, which stands here once
    const uint32_t* costs;
    const uint8_t* kinds;  ///< CAIRN_EDGE_INTER, ...
    size_t num_clusters;
    const int32_t* clusters;  ///< of hpa and haa, 4 for each: x, y, width, height
    size_t num_entrances;
    const int32_t* entrances;  ///< of hpa and haa, in the same form: the tiles of both sides
    size_t num_polygons;
    const uint32_t* polygon_clusters;  ///< of hna: the cluster of each polygon
} cairn_graph_lists;

/// Reads the graph of a level of an index, 1 to its levels; of haa that of the agents of a size and
/// a capability. Errors: CAIRN_BAD_OPTION (a level or an agent that does not exist);
/// CAIRN_UNSUPPORTED (a planner without an index). O(graph * log).
CAIRN_API cairn_status cairn_graph_create(const cairn_index* index, int32_t level, int32_t size,
                                          int32_t capability, cairn_graph** graph);
CAIRN_API cairn_status cairn_graph_get(const cairn_graph* graph, cairn_graph_lists* lists);
CAIRN_API void cairn_graph_free(cairn_graph* graph);
/// The clearances of a map for agents: for each cell, row by row, the size of the largest agent
/// with this capability that can stand there, 0 to max_size. `clearances` has room for one byte a
/// cell. Errors: CAIRN_UNSUPPORTED (another kind of map); CAIRN_BAD_OPTION (no such capability).
CAIRN_API cairn_status cairn_map_copy_clearances(const cairn_map* map, uint32_t capability,
                                                 uint8_t* clearances);

// Queries.

/// The options of queries of the planner of an index: settings of its query fields, such as
/// {"detail", "cost"}. Wherever a query is asked for, null means the default one. Errors:
/// CAIRN_BAD_OPTION (a setting).
CAIRN_API cairn_status cairn_query_create(const cairn_index* index, const cairn_setting* settings,
                                          size_t num_settings, cairn_query** query);
CAIRN_API void cairn_query_free(cairn_query* query);

/// Limits of one query; in a batch, of each request.
typedef struct cairn_limits {
    uint32_t size;
    uint32_t max_cost;      ///< of a path; 0: any
    uint64_t max_expanded;  ///< nodes to expand; 0: any number
    /// From the call of cairn_query_with_limits or cairn_find_disc on; 0: unlimited.
    uint64_t microseconds;
    cairn_cancel* cancel;  ///< null: cannot be cancelled
    int32_t partial_path;  ///< 1: a query that is stopped returns a path towards the goal
} cairn_limits;

/// A query under other limits. It keeps `cancel` alive. O(1).
CAIRN_API cairn_status cairn_query_with_limits(const cairn_query* query, const cairn_limits* limits,
                                               cairn_query** limited);
/// A query for which other cells are walls, too: ascending numbers of cells where units stand.
/// Errors: CAIRN_UNSUPPORTED (queries of this planner have no such cells).
CAIRN_API cairn_status cairn_query_with_blocked(const cairn_query* query, const uint32_t* cells,
                                                size_t num_cells, cairn_query** blocked);

// Worlds.

/// How a world works.
typedef struct cairn_world_options {
    uint32_t size;
    /// An edit repairs labels itself if that takes at most about so long; 0: 1000; CAIRN_NONE:
    /// never.
    uint32_t inline_microseconds;
    int32_t no_worker;  ///< 1: no worker thread repairs labels, only cairn_world_work
    int32_t threads;    ///< of the worker; 0: 1
    /// Edits until a fresh order of labels is used, 1 to 1,000,000; 0: 64.
    uint32_t order_edits;
    uint32_t remembered_areas;  ///< changed areas to check paths against quickly; 0: 1024
} cairn_world_options;

/// A world that begins with an index, at 0 edits. Errors: CAIRN_BAD_OPTION. O(1).
CAIRN_API cairn_status cairn_world_create(const cairn_index* index,
                                          const cairn_world_options* options, cairn_world** world);
/// The world ends with its last searcher; this may wait for its worker.
CAIRN_API void cairn_world_free(cairn_world* world);
/// Changes the map at once: every query that begins later, on any thread, sees it. `number`, which
/// may be null, becomes the number of the edit: 1 for the first. Errors: as cairn_index_edited; the
/// world has then not changed.
CAIRN_API cairn_status cairn_world_edit(cairn_world* world, const cairn_edits* edits,
                                        uint64_t* number);
/// The number of edits made; 0 for null.
CAIRN_API uint64_t cairn_world_edits(const cairn_world* world);
/// The newest index, and the number of edits made before it, which may be null.
CAIRN_API cairn_status cairn_world_snapshot(const cairn_world* world, cairn_index** index,
                                            uint64_t* edits);
/// Does a piece of outstanding work, such as labels, on this thread. 1: there may be more; 0: there
/// was nothing to do.
CAIRN_API int cairn_world_work(cairn_world* world);
/// CAIRN_OK, or why the last piece of work failed: CAIRN_OUT_OF_MEMORY or CAIRN_TOO_LARGE. Queries
/// are answered without it, and the next edit tries again.
CAIRN_API cairn_status cairn_world_work_status(const cairn_world* world);

// Searchers.

/// A searcher for one thread. Once it is warm, queries allocate nothing.
CAIRN_API cairn_status cairn_searcher_create(const cairn_index* index, cairn_searcher** searcher);
/// A searcher that answers on the newest state of a world.
CAIRN_API cairn_status cairn_searcher_create_for_world(const cairn_world* world,
                                                       cairn_searcher** searcher);
/// Uses another index from now on, and keeps the working memory if it is of the same planner.
/// Errors: CAIRN_UNSUPPORTED (a searcher of a world).
CAIRN_API cairn_status cairn_searcher_set_index(cairn_searcher* searcher, const cairn_index* index);
/// The working memory held now, in bytes; 0 for null.
CAIRN_API size_t cairn_searcher_memory(const cairn_searcher* searcher);
CAIRN_API void cairn_searcher_free(cairn_searcher* searcher);

/// Finds a path. Returns the status of the answer: CAIRN_OK; CAIRN_START_OUTSIDE to
/// CAIRN_GOAL_BLOCKED, checked in this order; CAIRN_NO_PATH; CAIRN_COST_TOO_LARGE; CAIRN_CANCELLED,
/// CAIRN_OVER_COST_LIMIT and CAIRN_BUDGET_EXHAUSTED, as the limits say; CAIRN_UNSUPPORTED (places
/// or query are of another planner, or the index lacks what the query names).
CAIRN_API cairn_status cairn_find(cairn_searcher* searcher, const cairn_query* query,
                                  cairn_cell start, cairn_cell goal, cairn_answer** answer);
CAIRN_API cairn_status cairn_find_on_mesh(cairn_searcher* searcher, const cairn_query* query,
                                          const cairn_place* start, const cairn_place* goal,
                                          cairn_answer** answer);

/// Finds a path in slices: call begin, then cairn_advance until it returns 0. Then the answer has
/// its status. Until then the answer must not be used or freed; any other call on the searcher
/// abandons the query. Returns CAIRN_OK if the search has begun or is done; else the status of the
/// answer.
CAIRN_API cairn_status cairn_begin(cairn_searcher* searcher, const cairn_query* query,
                                   cairn_cell start, cairn_cell goal, cairn_answer** answer);
CAIRN_API cairn_status cairn_begin_on_mesh(cairn_searcher* searcher, const cairn_query* query,
                                           const cairn_place* start, const cairn_place* goal,
                                           cairn_answer** answer);
/// Expands up to `budget` more nodes (0: all) within so many microseconds (0: any time), and
/// returns 1 while the query is not finished; 0 once it is, or if none was begun.
CAIRN_API int cairn_advance(cairn_searcher* searcher, uint64_t budget, uint64_t microseconds);

/// Whether there is a path: CAIRN_OK, CAIRN_NO_PATH, or another status as cairn_find returns it.
/// Next to no time with an index; planners without one search.
CAIRN_API cairn_status cairn_reachable(cairn_searcher* searcher, const cairn_query* query,
                                       cairn_cell start, cairn_cell goal);
CAIRN_API cairn_status cairn_reachable_on_mesh(cairn_searcher* searcher, const cairn_query* query,
                                               const cairn_place* start, const cairn_place* goal);

/// The costs from each start to each goal: costs[i * goals->count + j] is that from start i to goal
/// j, CAIRN_INFINITY if there is no path. With one start CAIRN_START_OUTSIDE and
/// CAIRN_START_BLOCKED are returned; with several, costs from such a start are CAIRN_INFINITY. The
/// limits apply to each pair. Other errors: as cairn_find.
CAIRN_API cairn_status cairn_costs(cairn_searcher* searcher, const cairn_query* query,
                                   const cairn_places* starts, const cairn_places* goals,
                                   uint32_t* costs);

/// A goal of a list, by its position, and the cost of a path to it.
typedef struct cairn_goal_cost {
    size_t goal;
    uint32_t cost;
} cairn_goal_cost;

/// The goals of least cost from the only place of `start`: the first *count of `nearest` become
/// them, by cost, then by position. On entry *count is how many are wanted and `nearest` has room
/// for. Errors: as cairn_costs of one start.
CAIRN_API cairn_status cairn_nearest(cairn_searcher* searcher, const cairn_query* query,
                                     const cairn_places* start, const cairn_places* goals,
                                     cairn_goal_cost* nearest, size_t* count);
/// Finds a path to the goal of least cost. `which` becomes its position if the status is CAIRN_OK.
/// Returns the status of the answer.
CAIRN_API cairn_status cairn_find_nearest(cairn_searcher* searcher, const cairn_query* query,
                                          const cairn_places* start, const cairn_places* goals,
                                          cairn_answer** answer, size_t* which);

// What a search does, step by step.

typedef struct cairn_trace cairn_trace;
/// What happens to a node.
enum {
    CAIRN_STEP_SOURCE = 0,       ///< it is the start of the query
    CAIRN_STEP_DESTINATION = 1,  ///< it is the goal
    CAIRN_STEP_GENERATING = 2,   ///< a path to it has been found: the first one, or a cheaper one
    CAIRN_STEP_EXPANDING = 3,    ///< it is taken from the open list
    CAIRN_STEP_CLOSING = 4,      ///< all its successors have been generated
    CAIRN_STEP_END = 5           ///< the search has found the goal
};
/// One step. Nodes are cells or portals; 0xffffffff stands for the start and 0xfffffffe for the
/// goal.
typedef struct cairn_trace_event {
    int32_t step;   ///< CAIRN_STEP_SOURCE, ...
    int32_t level;  ///< 0: cells, or portals; from 1 on abstract graphs; 1: subgoals
    /// Counts the searches of the query, each of which has nodes of its own: those that connect
    /// start and goal, and that of each level.
    int32_t search;
    uint32_t node;
    uint32_t parent;  ///< from which it was reached, in the same search
    uint32_t g;       ///< cost from the start
    uint32_t f;       ///< g and the heuristic
    double x;         ///< its place seen from above: column and row, or x and z
    double y;
} cairn_trace_event;
/// The steps of a query. The array belongs to the cairn_trace.
typedef struct cairn_trace_list {
    uint32_t size;
    size_t count;
    const cairn_trace_event* events;
    uint64_t left_out;  ///< events that came after as many as were wanted
} cairn_trace_list;

/// As cairn_find, and records the first `max_events` steps of the search. A query answered by
/// labels records none. Errors: also CAIRN_UNSUPPORTED (the searcher of a world).
CAIRN_API cairn_status cairn_find_traced(cairn_searcher* searcher, const cairn_query* query,
                                         cairn_cell start, cairn_cell goal, size_t max_events,
                                         cairn_answer** answer, cairn_trace** trace);
CAIRN_API cairn_status cairn_find_traced_on_mesh(cairn_searcher* searcher, const cairn_query* query,
                                                 const cairn_place* start, const cairn_place* goal,
                                                 size_t max_events, cairn_answer** answer,
                                                 cairn_trace** trace);
CAIRN_API cairn_status cairn_trace_get(const cairn_trace* trace, cairn_trace_list* list);
CAIRN_API void cairn_trace_free(cairn_trace* trace);

// Answers.

/// A point of a path on a mesh. It lies on the portal that `link` leaves its polygon by.
typedef struct cairn_waypoint {
    float x;
    float y;
    float z;
    uint32_t link;  ///< CAIRN_NONE: the start or the goal
} cairn_waypoint;

/// An answer. Arrays and texts belong to the cairn_answer: they are valid until it is used for
/// another query or freed. Lists that the query did not ask for are empty.
typedef struct cairn_path {
    uint32_t size;
    cairn_status status;
    uint32_t cost;          ///< CAIRN_INFINITY if the status is not CAIRN_OK
    uint32_t lower_bound;   ///< no path costs less than this
    const char* engine;     ///< what answered: "labels", "astar", "line", ...; "none"
    uint64_t expanded;      ///< nodes expanded
    const uint32_t* cells;  ///< every cell of a path on a grid
    size_t num_cells;
    const uint32_t* nodes;  ///< the abstract nodes or subgoals of a path on a grid
    size_t num_nodes;
    const uint32_t* polygons;  ///< the corridor of a path on a mesh
    size_t num_polygons;
    const cairn_waypoint* waypoints;  ///< the points where it turns
    size_t num_waypoints;
    cairn_cell goal_cell;  ///< where the path ends; with nearest_reachable perhaps not at the goal
    cairn_place goal_place;  ///< the same on a mesh
} cairn_path;

/// The parts of an answer.
CAIRN_API cairn_status cairn_answer_get(const cairn_answer* answer, cairn_path* path);
CAIRN_API void cairn_answer_free(cairn_answer* answer);

// Batches.

/// The starts and goals of many agents. Either `cells` or `points` is given.
typedef struct cairn_requests {
    uint32_t size;
    size_t count;          ///< at most 2^32 - 1
    const int32_t* cells;  ///< start x, start y, goal x, goal y of each
    ptrdiff_t cells_stride;
    const double* points;  ///< start x, y, z, goal x, y, z of each
    ptrdiff_t points_stride;
    const uint32_t* polygons;  ///< of start and goal of `points`; null: all CAIRN_NONE
    ptrdiff_t polygons_stride;
    const int32_t* agents;  ///< haa: size and capability of each; null: those of the query
    ptrdiff_t agents_stride;
} cairn_requests;

/// Options of a batch.
typedef struct cairn_batch_options {
    uint32_t size;
    int32_t turning;     ///< 1: only the start, turning points and the goal of paths on grids
    uint64_t max_bytes;  ///< that the batch may take; 0: any number
    uint64_t max_spent;  ///< a budget of expanded nodes and requests for all; 0: any number
} cairn_batch_options;

/// Answers many requests on all cores. Results equal those of single queries, in the order of the
/// requests, for any number of threads. A request that cannot be answered has its own status, and
/// does not affect others. On CAIRN_CANCELLED of single requests see their statuses. Errors:
/// CAIRN_BAD_OPTION; CAIRN_UNSUPPORTED; CAIRN_TOO_LARGE (over max_bytes); then `paths` has no
/// meaning.
CAIRN_API cairn_status cairn_find_paths(cairn_searcher* searcher, const cairn_query* query,
                                        const cairn_requests* requests,
                                        const cairn_batch_options* options,
                                        const cairn_control* control, cairn_paths** paths);

/// The result of a batch as flat arrays. List i of an array are its elements first[i] up to, not
/// including, first[i + 1]. The arrays belong to the cairn_paths: they are valid until it is used
/// again or freed.
typedef struct cairn_path_lists {
    uint32_t size;
    size_t count;                ///< requests
    const uint8_t* statuses;     ///< a cairn_status each
    const uint32_t* costs;       ///< CAIRN_INFINITY unless the status is CAIRN_OK
    const uint64_t* first_cell;  ///< count + 1 numbers; null on meshes
    const uint32_t* cells;
    const uint64_t* first_polygon;  ///< count + 1 numbers; null on grids
    const uint32_t* polygons;
    const uint64_t* first_waypoint;  ///< count + 1 numbers; null on grids
    const cairn_waypoint* waypoints;
    /// Of cairn_replan: for each path the position of the route that it replaces, ascending. Else
    /// null.
    const uint32_t* routes;
} cairn_path_lists;

/// The parts of a result.
CAIRN_API cairn_status cairn_paths_get(const cairn_paths* paths, cairn_path_lists* lists);
CAIRN_API void cairn_paths_free(cairn_paths* paths);

// Paths in a changing world.

/// The rests of paths that agents follow.
typedef struct cairn_routes {
    uint32_t size;
    const cairn_requests* requests;  ///< from where each agent stands to where it goes
    /// Every cell or polygon from the one where the agent stands to the end: those of route i are
    /// steps[first[i]] up to, not including, steps[first[i + 1]], as in cairn_path_lists.
    const uint64_t* first;
    const uint32_t* steps;
    const uint32_t* costs;  ///< of these steps; read on meshes only, for `improvable`; may be null
} cairn_routes;

/// Whether every step of each route, found when `edits` edits had been made, is legal now: valid[i]
/// becomes 1 or 0. The searcher must be one of a world. Errors: CAIRN_UNSUPPORTED. O(1) a route
/// without edits since; else it looks at the steps near them.
CAIRN_API cairn_status cairn_paths_valid(cairn_searcher* searcher, const cairn_query* query,
                                         const cairn_routes* routes, uint64_t edits,
                                         uint8_t* valid);
/// Finds new paths for the routes that edits have broken, and with `improvable` also where they
/// have opened a cheaper one. cairn_path_lists.routes says which. Errors: as cairn_find_paths.
CAIRN_API cairn_status cairn_replan(cairn_searcher* searcher, const cairn_query* query,
                                    const cairn_routes* routes, uint64_t edits, int32_t improvable,
                                    const cairn_control* control, cairn_paths** paths);

// Agents of several radii.
//
// An agent is a disc, seen from above: its centre keeps its radius from all walls. If the mesh was
// made for a radius, give what the agent's is greater by. One index serves all radii: see
// cairn/hna/discs.hpp and cairn/mesh/clearance.hpp.
//
// All functions need the part "hna". A place whose polygon is CAIRN_NONE is located first, at most
// 0.5 away unless a query says otherwise; beside the mesh it is moved to the nearest point of it.

/// Builds the index of a mesh for some radii, 1 to 64 of them, above 0, in any order. Queries of
/// these radii are answered from labels, and so are those of any other up to the greatest one, if
/// no narrow place of the mesh tells the two apart; else A* searches. `settings`: options of "hna".
/// Errors: CAIRN_BAD_OPTION (a radius or setting); CAIRN_UNSUPPORTED (not a mesh);
/// CAIRN_CANCELLED; CAIRN_TOO_LARGE.
CAIRN_API cairn_status cairn_discs_build(const cairn_map* mesh, const double* radii,
                                         size_t num_radii, const cairn_setting* settings,
                                         size_t num_settings, const cairn_control* control,
                                         cairn_discs** discs);
CAIRN_API void cairn_discs_free(cairn_discs* discs);

/// What is known of an index for discs.
typedef struct cairn_discs_info {
    uint32_t size;
    uint32_t num_pieces;  ///< polygons of the mesh after it was cut along its narrow places
    const double* radii;  ///< ascending, each once; valid as long as the cairn_discs
    size_t num_radii;
    size_t num_gates;  ///< narrow places
    uint64_t memory;   ///< in bytes
} cairn_discs_info;

/// Describes an index for discs. O(index).
CAIRN_API cairn_status cairn_discs_get(const cairn_discs* discs, cairn_discs_info* info);
/// How far the nearest wall is from a place; infinity if the place sees none. 0 in a blocked
/// polygon. Errors: CAIRN_START_OUTSIDE (no such place). O(polygons within that distance).
CAIRN_API cairn_status cairn_discs_clearance(const cairn_discs* discs, const cairn_place* place,
                                             double* distance);
/// Whether a disc can move from a place to another: CAIRN_OK; CAIRN_START_OUTSIDE or
/// CAIRN_GOAL_OUTSIDE (no such place); CAIRN_START_BLOCKED or CAIRN_GOAL_BLOCKED (it cannot stand
/// there); CAIRN_NO_PATH; CAIRN_BAD_OPTION (the radius is negative or above the greatest one).
/// Needs no search.
CAIRN_API cairn_status cairn_discs_reachable(const cairn_discs* discs, const cairn_place* from,
                                             const cairn_place* to, double radius);
/// The greatest radius for which cairn_discs_reachable is CAIRN_OK, at most the greatest of the
/// index: it is CAIRN_OK for all smaller ones, too. Returns what that does for radius 0, and then
/// the radius is 0 unless that is CAIRN_OK.
CAIRN_API cairn_status cairn_discs_widest(const cairn_discs* discs, const cairn_place* from,
                                          const cairn_place* to, double* radius);

/// A searcher for one thread, which holds the last answer. Once it is warm, queries allocate
/// nothing.
CAIRN_API cairn_status cairn_disc_searcher_create(const cairn_discs* discs,
                                                  cairn_disc_searcher** searcher);
/// The working memory held now, in bytes; 0 for null.
CAIRN_API size_t cairn_disc_searcher_memory(const cairn_disc_searcher* searcher);
CAIRN_API void cairn_disc_searcher_free(cairn_disc_searcher* searcher);

/// How much of a path for a disc to compute; each holds those after it.
enum {
    CAIRN_DISC_PATH = 0,      ///< the line of its centre
    CAIRN_DISC_CORRIDOR = 1,  ///< the polygons
    CAIRN_DISC_COST = 2,      ///< the cost of these
    CAIRN_DISC_REACHABLE = 3  ///< whether there is a path
};

/// A query for a disc.
typedef struct cairn_disc_query {
    uint32_t size;
    int32_t detail;     ///< CAIRN_DISC_PATH, ...
    cairn_place start;  ///< one too near to walls is moved away from them
    cairn_place goal;
    double radius;  ///< 0 to the greatest of the index's
    /// How far a place may lie from the mesh, and be moved from walls, in units of the mesh; 0:
    /// 0.5.
    double reach;
    const cairn_limits* limits;  ///< without partial_path; null: none
} cairn_disc_query;

/// How a line goes on after a point.
enum {
    CAIRN_STRAIGHT = 0,  ///< straight to the next point
    /// To the next point on the circle around (corner_x, corner_z), seen from above, where the
    /// angle from the x axis towards the z axis grows.
    CAIRN_ARC_LEFT = 1,
    CAIRN_ARC_RIGHT = 2  ///< the same, where it falls
};

/// A point of a line for a disc: where its centre is.
typedef struct cairn_disc_waypoint {
    float x;
    float y;
    float z;
    uint32_t polygon;  ///< that holds it
    uint8_t onwards;   ///< CAIRN_STRAIGHT, ...
    float corner_x;    ///< the centre of the arc that begins here, at which there is a wall
    float corner_y;
    float corner_z;
} cairn_disc_waypoint;

/// An answer. Arrays belong to the searcher: they are valid until it is used again or freed. Lists
/// that the query did not ask for are empty, and all are unless the status is CAIRN_OK.
typedef struct cairn_disc_path {
    uint32_t size;
    cairn_status status;
    uint32_t cost;       ///< of the corridor; CAIRN_INFINITY unless asked for and CAIRN_OK
    const char* engine;  ///< what answered: "labels", "astar", ...; "none"
    cairn_place start;   ///< the places of the query, located and moved; CAIRN_NONE: not located
    cairn_place goal;
    const uint32_t* polygons;
    size_t num_polygons;
    const cairn_disc_waypoint* waypoints;  ///< the line; empty if, very rarely, none was found
    size_t num_waypoints;
    double length;  ///< of the line, arcs included, seen from above
} cairn_disc_path;

/// Finds a path for a disc: one whose corridor costs the least and crosses no place too narrow for
/// it. Returns the status of the answer: CAIRN_OK; those of cairn_discs_reachable, for the places
/// as they were moved; CAIRN_OVER_COST_LIMIT, CAIRN_BUDGET_EXHAUSTED and CAIRN_CANCELLED, as the
/// limits say; CAIRN_COST_TOO_LARGE. CAIRN_BAD_OPTION for a radius or reach that is refused: `path`
/// then has the status alone. If a struct or `detail` is refused, `path` stays as it is.
CAIRN_API cairn_status cairn_find_disc(cairn_disc_searcher* searcher, const cairn_disc_query* query,
                                       cairn_disc_path* path);
/// Makes a polyline of a line: chords in place of each arc, as many as it takes to be at most
/// `tolerance` away from it, seen from above, and 4,096 at most. `num_points`: how many points
/// `points` has room for, with three numbers each; then how many there are. With NULL for `points`
/// they are only counted. Errors: CAIRN_BAD_OPTION (the tolerance is not above 0, there is too
/// little room, or no such way onwards). O(points). Thread-safe.
CAIRN_API cairn_status cairn_disc_polyline(const cairn_disc_waypoint* waypoints,
                                           size_t num_waypoints, double tolerance, double* points,
                                           size_t* num_points);

// Scenarios.

/// The problems of a MovingAI scenario (.scen), or of one beside Polyanya's meshes.
typedef struct cairn_problem_list {
    uint32_t size;
    size_t count;
    const int32_t*
        cells;  ///< start x, start y, goal x, goal y of each, as cairn_requests takes them
    const double* points;   ///< of meshes: start x, y, z, goal x, y, z of each
    const double* lengths;  ///< the optimal length of each, as the file says
} cairn_problem_list;

/// Reads a scenario for maps of a space (CAIRN_GRID or CAIRN_MESH). Errors: CAIRN_IO_ERROR;
/// CAIRN_CORRUPT_FILE; CAIRN_WRONG_VERSION; CAIRN_TOO_LARGE.
CAIRN_API cairn_status cairn_problems_load(const char* path, int32_t space,
                                           cairn_problems** problems);
/// The problems. The arrays are valid as long as the object.
CAIRN_API cairn_status cairn_problems_get(const cairn_problems* problems, cairn_problem_list* list);
CAIRN_API void cairn_problems_free(cairn_problems* problems);

// Pictures.

enum { CAIRN_SVG = 0, CAIRN_PNG = 1 };

/// What a picture shows, and how.
typedef struct cairn_picture {
    uint32_t size;
    int32_t format;        ///< CAIRN_SVG or CAIRN_PNG
    int32_t longest_side;  ///< of the map in pixels, 64 to 8192; 0: 1600
    int32_t cell;          ///< the side of a cell in pixels, 1 to 64; 0: by longest_side
    double scale;          ///< enlarges a PNG, 1/16 to 16; 0: 1
    const char* title;     ///< null: none
    int32_t no_legend;
    int32_t no_grid_lines;
    double area[4];  ///< the part shown: x, y (on meshes z), width, height; all 0: everything
    /// Paths to draw: answers on this map. On meshes only the first is drawn, and only of hna and
    /// with cairn_draw_index.
    const cairn_answer* const* answers;
    size_t num_answers;
    int32_t agent_size;  ///< haa: the agent whose part of the index is drawn; 0: 1
    int32_t agent_capability;
} cairn_picture;

/// Draws a grid or mesh. Errors: CAIRN_BAD_OPTION; CAIRN_TOO_LARGE; CAIRN_UNSUPPORTED (a map for
/// agents). O(map).
CAIRN_API cairn_status cairn_draw_map(const cairn_map* map, const cairn_picture* picture,
                                      cairn_bytes** bytes);
/// Draws an index with its map: the abstract graph of hpa, haa, subgoal or hna. Errors: the same;
/// CAIRN_UNSUPPORTED (a planner without an index).
CAIRN_API cairn_status cairn_draw_index(const cairn_index* index, const cairn_picture* picture,
                                        cairn_bytes** bytes);

/// The bytes of a picture or file; null for null. Valid as long as the object.
CAIRN_API const void* cairn_bytes_data(const cairn_bytes* bytes);
CAIRN_API size_t cairn_bytes_size(const cairn_bytes* bytes);
/// Writes them to a file, completely or not at all. Errors: CAIRN_IO_ERROR.
CAIRN_API cairn_status cairn_bytes_save(const cairn_bytes* bytes, const char* path);
CAIRN_API void cairn_bytes_free(cairn_bytes* bytes);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif
