"""The statuses of calls, and the exception that carries one."""

from enum import IntEnum


class Status(IntEnum):
    """What came of a call; the numbers are those of the C library."""

    OK = 0
    START_OUTSIDE = 1
    GOAL_OUTSIDE = 2
    START_BLOCKED = 3
    GOAL_BLOCKED = 4
    NO_PATH = 5
    OVER_COST_LIMIT = 6
    BUDGET_EXHAUSTED = 7
    CANCELLED = 8
    STALE_INDEX = 9
    UNSUPPORTED = 10
    BAD_OPTION = 11
    TOO_LARGE = 12
    IO_ERROR = 13
    CORRUPT_FILE = 14
    WRONG_VERSION = 15
    WRONG_MAP = 16
    NO_DEVICE = 17
    OUT_OF_MEMORY = 18
    DEVICE_FAILED = 19
    COST_TOO_LARGE = 20


class Error(Exception):
    """A call that failed. `status` says how, the text what was wrong."""

    status: Status

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = Status(status)

    def __reduce__(self) -> "tuple[type[Error], tuple[int, str]]":
        return type(self), (int(self.status), str(self))
