// What the page does: opens maps, asks for paths, makes edits, leads the agents. Panels and input
// call it, and hear of changes.

import type { IndexGraph, Planner } from "cairn-path";
import { Core, newest } from "./core/client.js";
import type { Answer, CellEdit, Ends, Plan, Repair } from "./core/messages.js";
import type { Repairs } from "./core/repairs.js";
import { Painting, polygonRow } from "./document.js";
import { middleOf, onMesh } from "./maps/mesh.js";
import { openSource } from "./maps/open.js";
import { Random } from "./maps/random.js";
import { canStand, hasWeights, weightOf, type MapData } from "./maps/terrain.js";
import { Crowd, type Walkers } from "./scene/crowd.js";
import { MeshCrowd } from "./scene/mesh_crowd.js";
import { SearchView } from "./scene/search.js";
import { boxOf, Scene } from "./scene/scene.js";
import { GRAPH_LAYERS, layersOf } from "./shown.js";
import { type Place, type Source, type State, Store, writeState } from "./state.js";
import type { Steps } from "./steps.js";

/** What happens that panels want to know. */
export interface Events {
  map: () => void;
  answer: (answer: Answer) => void;
  repair: (repair: Repair) => void;
  crowd: () => void;
  /** The steps of a search are there, or no more. */
  search: () => void;
  /** The layers that there are may have changed. */
  layers: () => void;
  busy: (what: string) => void;
  message: (text: string) => void;
}

/** How long one answer is timed, in milliseconds: while something moves, and when it rests. */
const LIVE = 6;
const AT_REST = 60;

export class App {
  readonly scene: Scene;
  planners: Planner[] = [];
  version = "";
  painting: Painting | undefined;
  map: MapData | undefined;
  answer: Answer | undefined;
  crowd: Walkers | undefined;
  crowdMilliseconds = 0;
  paused = false;
  /** The graphs of the index by level, and clearances, while layers show them. */
  graphs: readonly IndexGraph[] = [];
  clearances: Uint8Array | undefined;
  /** What the last stroke of the brush has changed in the index, while a layer shows it. */
  repairs: Repairs | undefined;
  search: SearchView | undefined;
  core = new Core();
  private module: WebAssembly.Module | undefined;
  /** Done once the worker has the library, and the map if there is one. */
  private ready: Promise<void> = Promise.resolve();
  private crowdCore: Promise<Core> | undefined;
  private otherCore: Promise<Core> | undefined;
  private readonly listeners: { [Name in keyof Events]?: Events[Name][] } = {};
  private rest = 0;
  private saving = 0;
  private asked = false;
  private flash = 0;
  private generation = 0;
  private readonly animations: ((seconds: number) => boolean)[] = [];

  constructor(
    readonly store: Store,
    canvas: HTMLCanvasElement,
  ) {
    this.scene = new Scene(canvas);
    this.scene.animate = (seconds) => this.animate(seconds);
    store.listen((now, before) => this.changed(now, before));
  }

  on<Name extends keyof Events>(name: Name, listener: Events[Name]): void {
    const all = (this.listeners[name] ??= []) as Events[Name][];
    all.push(listener);
  }

  private tell<Name extends keyof Events>(
    name: Name,
    ...parameters: Parameters<Events[Name]>
  ): void {
    for (const listener of this.listeners[name] ?? []) {
      (listener as (...all: Parameters<Events[Name]>) => void)(...parameters);
    }
  }

  /** Adds what is called before each frame, with the seconds since the last; true: go on. */
  onAnimate(animation: (seconds: number) => boolean): void {
    this.animations.push(animation);
  }

  message(text: string): void {
    this.tell("message", text);
  }

  async begin(): Promise<void> {
    this.tell("busy", "Loading the library");
    const response = await fetch("cairn.wasm");
    if (!response.ok) throw new Error(`cairn.wasm: ${response.status}`);
    this.module = await WebAssembly.compile(await response.arrayBuffer());
    this.ready = this.begun(this.core);
    await this.ready;
    await this.open(this.store.now.source, this.store.now);
  }

  private building(fraction: number): void {
    this.tell("busy", `Building the index: ${Math.floor(100 * fraction)} %`);
  }

  /** Stops what the worker does; A* needs no index. */
  stop(): void {
    const { core, map } = this;
    this.core = new Core();
    this.ready = this.begun(this.core).then(() => (map ? this.core.call("load", map) : undefined));
    this.store.set({ planner: "astar" });
    core.end();
  }

  private async begun(core: Core): Promise<void> {
    const { version, planners } = await core.call("start", this.module!);
    this.version = version;
    this.planners = planners;
    core.progress = (fraction) => this.building(fraction);
  }

  /** Planners that take the kind of the map. */
  get suitable(): Planner[] {
    const space = this.map?.kind ?? "grid";
    return this.planners.filter((planner) => planner.space === space);
  }

  get planner(): Planner | undefined {
    return this.suitable.find(({ name }) => name === this.store.now.planner);
  }

  /** Why a planner does not take the map; undefined if it does. */
  refusal({ name }: Planner): string | undefined {
    if (this.map?.kind !== "grid" || (name !== "subgoal" && name !== "jps")) return undefined;
    return hasWeights(this.map.cells) ? "needs a map without weights" : undefined;
  }

  planOf(planner: string): Plan {
    const { build, query } = this.store.now;
    return { planner, build: build[planner] ?? {}, query: query[planner] ?? {} };
  }

  get plan(): Plan {
    return this.planOf(this.store.now.planner);
  }

  get agent(): { size: number; capability: number } {
    const { query, planner } = this.store.now;
    if (planner !== "haa") return { size: 1, capability: 0 };
    return {
      size: Number(query.haa?.size ?? 1),
      capability: Number(query.haa?.capability ?? 0),
    };
  }

  /** Opens a map of the gallery or a link. */
  async open(source: Source, state?: Partial<State>): Promise<void> {
    this.tell("busy", "Opening the map");
    try {
      await this.show(await openSource(source), source, state);
    } catch (error) {
      this.message((error as Error).message);
      if (this.map === undefined)
        await this.open({ kind: "made", name: "rooms", size: 256, seed: 7 });
    }
    this.tell("busy", "");
  }

  /** Shows a map, in the state of a link if one is given. */
  async show(map: MapData, source: Source, state: Partial<State> = {}): Promise<void> {
    ++this.generation;
    this.stopCrowd();
    this.closeSearch();
    this.graphs = [];
    this.clearances = undefined;
    this.repairs = undefined;
    const painted = state.painted ?? new Uint8Array(0);
    this.painting = new Painting(map.kind === "grid" ? map : polygonRow(map), painted);
    const { grid } = this.painting;
    this.map = map.kind === "grid" ? grid : { ...map, blocked: grid.cells };
    this.answer = undefined;
    this.scene.answer = undefined;
    const box = boxOf(this.map);
    this.scene.show(this.map);
    const { view } = state;
    if (view === undefined) this.scene.camera.fit();
    else Object.assign(this.scene.camera, view);
    this.otherCore = undefined;
    await this.ready;
    await this.core.call("load", this.map);
    const name = state.planner ?? this.store.now.planner;
    const fitting = this.suitable.find(
      (one) => one.name === name && this.refusal(one) === undefined,
    );
    const planner = fitting ?? this.suitable.find((one) => this.refusal(one) === undefined);
    if (planner !== undefined)
      this.store.set({ planner: planner.name, query: state.query ?? this.store.now.query });
    const known =
      state.start !== undefined &&
      state.goal !== undefined &&
      pairIsIn(state.start, box) &&
      pairIsIn(state.goal, box) &&
      (state.start[0] !== state.goal[0] || state.start[1] !== state.goal[1]);
    const ends = known ? { start: state.start!, goal: state.goal! } : this.ends(2);
    this.store.set({
      ...state,
      source,
      painted,
      view,
      planner: planner?.name ?? "astar",
      ...ends,
    });
    this.tell("map");
    this.ask();
  }

  /** A start and a goal that are far from each other, as good as so many random ones. */
  ends(tries: number): { start: Place; goal: Place } {
    const { map } = this;
    const random = new Random(
      this.generation * 7919 + Math.floor(performance.now()) * (tries > 20 ? 1 : 0) + 3,
    );
    if (map === undefined) return { start: [0, 0], goal: [0, 0] };
    const box = boxOf(map);
    const places: Place[] = [];
    for (let i = 0; places.length < 2 * tries + 2 && i < 4000; ++i) {
      if (map.kind === "grid") {
        const cell = random.below(map.cells.length);
        if (!this.stands(cell)) continue;
        places.push([cell % map.width, Math.floor(cell / map.width)]);
      } else {
        const polygon = random.below(map.first.length - 1);
        if (map.blocked?.[polygon] !== 1) {
          const [x, , z] = middleOf(map, polygon);
          places.push([x, z]);
        }
      }
    }
    let best = { start: places[0] ?? [0, 0], goal: places[1] ?? places[0] ?? [0, 0] };
    let longest = -1;
    for (let i = 0; i + 1 < places.length; i += 2) {
      const [a, b] = [places[i]!, places[i + 1]!];
      const length = Math.hypot(a[0] - b[0], a[1] - b[1]);
      if (length > longest && length < 0.9 * Math.hypot(box.width, box.height)) {
        longest = length;
        best = a[0] < b[0] ? { start: a, goal: b } : { start: b, goal: a };
      }
    }
    return best;
  }

  /** Whether the agent can stand on a cell, with all cells that it covers. */
  private stands(cell: number): boolean {
    const { map, agent } = this;
    if (map?.kind !== "grid") return true;
    if (this.store.now.planner !== "haa") return weightOf(map.cells[cell]!) > 0;
    const [x, y] = [cell % map.width, Math.floor(cell / map.width)];
    if (x + agent.size > map.width || y + agent.size > map.height) return false;
    for (let row = y; row < y + agent.size; ++row) {
      for (let column = x; column < x + agent.size; ++column) {
        if (!canStand(map.cells[row * map.width + column]!, agent.capability)) return false;
      }
    }
    return true;
  }

  /** Asks for the path again. */
  ask(): void {
    this.asked = true;
    this.askNow(LIVE);
    clearTimeout(this.rest);
    this.rest = window.setTimeout(() => this.askNow(AT_REST), 250);
  }

  private readonly askNow = newest(async (milliseconds: number) => {
    await this.ready;
    const { start, goal } = this.store.now;
    const { map, plan, generation, core } = this;
    if (map === undefined) return;
    const slow = setTimeout(() => this.tell("busy", "Building the index"), 120);
    const ends = this.endsOn(map);
    try {
      const answer = await core.call("ask", plan, ends, milliseconds);
      if (generation !== this.generation) return;
      this.asked = false;
      this.answer = { ...answer, problem: this.explain(answer, start, goal) };
      this.scene.answer = this.answer;
      this.updateLayers();
      this.tell("answer", this.answer);
    } catch (error) {
      if (core === this.core) this.message((error as Error).message);
      return;
    } finally {
      clearTimeout(slow);
      this.tell("busy", "");
    }
    if (milliseconds !== AT_REST || this.asked || generation !== this.generation) return;
    await this.look(plan);
    // Labels that an edit has left for later.
    await this.core.call("work", plan).catch(() => false);
  });

  /** Gets what the layers show of the index, if any does. */
  private async look(plan: Plan): Promise<void> {
    const { layers } = this.store.now;
    const { generation } = this;
    try {
      const wanted =
        this.planner?.hasIndex === true && layers.some((one) => GRAPH_LAYERS.test(one));
      const graphs = wanted ? await this.core.call("graphs", plan) : [];
      const clear = plan.planner === "haa" && layers.includes("clearances");
      const clearances = clear ? await this.core.call("clearances", plan) : undefined;
      const repaired = this.planner?.hasIndex === true && layers.includes("repaired");
      const repairs = repaired ? await this.core.call("repairs", plan) : undefined;
      if (generation !== this.generation) return;
      this.graphs = graphs;
      this.clearances = clearances;
      this.repairs = repairs;
    } catch {
      this.graphs = [];
      this.clearances = undefined;
      this.repairs = undefined;
    }
    this.updateLayers();
    this.tell("layers");
  }

  /** Gets the steps of the search for the path, and plays them. */
  async playSearch(): Promise<void> {
    const { map, generation } = this;
    if (map === undefined) return;
    if (this.answer?.refused === true) return this.message("The planner does not take this map");
    const ends = this.endsOn(map);
    this.tell("busy", "Searching");
    try {
      const steps = await this.core.call("trace", this.plan, ends);
      if (generation === this.generation) this.showSteps(steps);
    } catch (error) {
      this.message((error as Error).message);
    } finally {
      this.tell("busy", "");
    }
  }

  showSteps(steps: Steps): void {
    if (this.map === undefined) return;
    if (steps.kinds.length === 0) {
      this.message(this.answer?.problem ?? "This query needs no search: the way is straight");
      return;
    }
    this.search = new SearchView(steps, this.map);
    this.scene.search = this.search;
    this.tell("search");
  }

  closeSearch(): void {
    if (this.search === undefined) return;
    this.search = undefined;
    this.scene.search = undefined;
    this.tell("search");
    this.scene.redraw();
  }

  /** The start and the goal as the library takes them. */
  private endsOn(map: MapData): Ends {
    const { start, goal } = this.store.now;
    if (map.kind === "grid") return [start, goal];
    const place = (end: Place): readonly number[] => onMesh(map, ...end) ?? [end[0], 0, end[1]];
    return [place(start), place(goal)];
  }

  private explain(answer: Answer, start: Place, goal: Place): string | undefined {
    const { map } = this;
    if (answer.problem === undefined || answer.refused || map === undefined) return answer.problem;
    if (map.kind === "mesh") {
      for (const [name, end] of [
        ["start", start],
        ["goal", goal],
      ] as const) {
        const place = onMesh(map, ...end);
        if (place === undefined) return `The ${name} is outside the mesh`;
        if (map.blocked?.[place[3]] === 1) return `The ${name} is in an obstacle`;
      }
      return answer.problem;
    }
    for (const [name, [x, y]] of [
      ["start", start],
      ["goal", goal],
    ] as const) {
      if (this.stands(y * map.width + x)) continue;
      return this.agent.size > 1
        ? `The agent does not fit at the ${name}`
        : `The ${name} is in an obstacle`;
    }
    return answer.problem;
  }

  updateLayers(): void {
    this.scene.agentSize = this.agent.size;
    this.scene.layers = layersOf(this)
      .filter(({ name }) => this.store.now.layers.includes(name))
      .map(({ show }) => show());
    this.scene.redraw();
  }

  /** Sends edits that the painting has made. */
  edit(edits: CellEdit[]): void {
    const { map, generation } = this;
    if (edits.length === 0 || map === undefined) return;
    this.closeSearch();
    if (map.kind === "grid") {
      for (const [x, y, width, height] of edits) this.scene.refresh({ x, y, width, height });
      const boxes = edits.map(([x, y, width, height]) => ({ x, y, width, height }));
      this.scene.changed = { cells: boxes, strength: 1 };
      this.flash = 1;
    } else {
      this.scene.redraw();
    }
    const begins = this.painting?.takeBegin() ?? true;
    this.core.call("edit", edits, this.plan, begins).then(
      (repair) => {
        if (generation === this.generation) this.tell("repair", repair);
      },
      () => undefined, // the worker was stopped; the next one gets the map as it is
    );
    this.otherCore?.then((core) => core.call("edit", edits, undefined, begins)).catch(() => undefined);
    void this.crowdCore?.then((core) => this.replan(core, edits));
    this.ask();
  }

  /** Notes what was painted in the state, once a stroke has ended. */
  painted(): void {
    if (this.painting !== undefined) this.store.set({ painted: this.painting.painted });
    this.tell("map");
  }

  undo(): void {
    this.edit(this.painting?.undo() ?? []);
    this.painted();
  }

  redo(): void {
    this.edit(this.painting?.redo() ?? []);
    this.painted();
  }

  /** Another worker with the map as it is now. */
  private async another(): Promise<Core> {
    const core = new Core();
    await core.call("start", this.module!);
    await core.call("load", this.map!);
    return core;
  }

  /** Asks for the path of another planner, without keeping this one's worker from its work. */
  async compare(planner: string): Promise<Answer> {
    this.otherCore ??= this.another();
    const core = await this.otherCore;
    const { start, goal } = this.store.now;
    const ends = this.endsOn(this.map!);
    const answer = await core.call("ask", this.planOf(planner), ends, AT_REST);
    return { ...answer, problem: this.explain(answer, start, goal) };
  }

  async startCrowd(count: number): Promise<void> {
    const { map, generation } = this;
    if (map === undefined) return;
    this.tell("busy", "Finding paths for the agents");
    try {
      this.crowdCore ??= this.another();
      const core = await this.crowdCore;
      const routes = await core.call("crowd", this.plan, count, 11);
      if (generation !== this.generation) return;
      const { width, height } = boxOf(map);
      this.crowd =
        map.kind === "grid"
          ? new Crowd(count, map)
          : new MeshCrowd(count, Math.max(width, height) / 64);
      this.crowd.follow(routes);
      this.crowdMilliseconds = routes.milliseconds;
      this.scene.crowd = this.crowd;
      this.paused = false;
      this.updateLayers();
    } catch (error) {
      this.message((error as Error).message);
    } finally {
      this.tell("busy", "");
      this.tell("crowd");
    }
  }

  stopCrowd(): void {
    this.crowd = undefined;
    this.scene.crowd = undefined;
    void this.crowdCore?.then((core) => core.end());
    this.crowdCore = undefined;
    this.tell("crowd");
    if (this.map !== undefined) this.updateLayers();
  }

  private async replan(core: Core, edits: CellEdit[]): Promise<void> {
    const { crowd } = this;
    try {
      await core.call("edit", edits, this.plan, false);
      if (crowd === undefined || crowd !== this.crowd) return;
      const routes = await core.call("replan", this.plan, crowd.requests());
      if (crowd !== this.crowd) return;
      crowd.follow(routes);
      if (routes.ids.length > 0) {
        this.crowdMilliseconds = routes.milliseconds;
        this.tell("crowd");
      }
    } catch (error) {
      this.message((error as Error).message);
    }
  }

  private readonly sendOn = newest(async (crowd: Walkers) => {
    const core = await this.crowdCore;
    const { ids, places } = crowd.arrivals();
    if (core === undefined || ids.length === 0) return;
    try {
      const routes = await core.call("next", this.plan, ids, places);
      if (crowd === this.crowd) crowd.follow(routes);
    } catch (error) {
      this.message((error as Error).message);
    }
  });

  /** Moves what moves; returns whether anything does. */
  private animate(seconds: number): boolean {
    const { crowd, scene } = this;
    let moves = false;
    for (const animation of this.animations) moves = animation(seconds) || moves;
    if (this.flash > 0) {
      this.flash -= 2 * seconds;
      if (this.flash <= 0) scene.changed = undefined;
      else if (scene.changed !== undefined) scene.changed.strength = this.flash;
      moves = true;
    }
    if (crowd !== undefined && !this.paused) {
      crowd.advance(seconds);
      this.sendOn(crowd);
      moves = true;
    }
    return moves;
  }

  /** Notes what the window shows, for the link. */
  viewed(): void {
    const { x, y, scale } = this.scene.camera;
    this.store.set({ view: { x, y, scale } });
  }

  private changed(now: State, before: State): void {
    clearTimeout(this.saving);
    this.saving = window.setTimeout(() => {
      history.replaceState(undefined, "", `#${writeState(this.store.now)}`);
    }, 300);
    const asks = ["start", "goal", "planner", "build", "query"] as const;
    if (this.map !== undefined && asks.some((name) => now[name] !== before[name])) this.ask();
    if (this.search !== undefined && asks.some((name) => now[name] !== before[name]))
      this.closeSearch();
    if (now.planner !== before.planner || now.build !== before.build) this.repairs = undefined;
    if (now.layers !== before.layers && this.map !== undefined) {
      this.updateLayers();
      const shown = this.store.now.layers.some(
        (one) => GRAPH_LAYERS.test(one) || one === "clearances" || one === "repaired",
      );
      if (shown) void this.look(this.plan);
    }
    if (
      this.crowd !== undefined &&
      (now.planner !== before.planner || now.query !== before.query)
    ) {
      void this.startCrowd(this.crowd.count);
    }
  }
}

function pairIsIn([x, y]: Place, box: { x: number; y: number; width: number; height: number }) {
  return x >= box.x && y >= box.y && x <= box.x + box.width && y <= box.y + box.height;
}
