// The page's side of a worker.

import type { Calls, Call, Reply } from "./messages.js";

export class Core {
  private readonly worker = new Worker(new URL("./worker.js", import.meta.url), {
    type: "module",
  });
  private readonly waiting = new Map<
    number,
    { resolve(result: unknown): void; reject(error: Error): void }
  >();
  private last = 0;
  /** Hears how much of a call is done, 0 to 1. */
  progress: (fraction: number) => void = () => undefined;

  constructor() {
    this.worker.addEventListener("message", ({ data }: MessageEvent<Reply>) => {
      if (data.progress !== undefined) return this.progress(data.progress);
      const waiting = this.waiting.get(data.id);
      this.waiting.delete(data.id);
      if (data.error === undefined) return waiting?.resolve(data.result);
      return waiting?.reject(new Error(data.error));
    });
    this.worker.addEventListener("error", (event) => {
      this.giveUp(event.message);
    });
  }

  /** Calls a function of the worker. Calls are answered in their order. */
  call<Name extends keyof Calls>(
    name: Name,
    ...parameters: Parameters<Calls[Name]>
  ): Promise<ReturnType<Calls[Name]>> {
    const id = ++this.last;
    this.worker.postMessage({ id, name, parameters } satisfies Call);
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve: resolve as (result: unknown) => void, reject });
    });
  }

  /** Ends the worker; calls without an answer fail. */
  end(): void {
    this.worker.terminate();
    this.giveUp("stopped");
  }

  private giveUp(message: string): void {
    for (const { reject } of this.waiting.values()) reject(new Error(message));
    this.waiting.clear();
  }
}

/** Runs work for the newest of many values: one at a time, and what came in between is dropped. */
export function newest<T>(work: (value: T) => Promise<void>): (value: T) => void {
  let running = false;
  let next: { value: T } | undefined;
  const run = async (): Promise<void> => {
    running = true;
    while (next !== undefined) {
      const { value } = next;
      next = undefined;
      await work(value);
    }
    running = false;
  };
  return (value) => {
    next = { value };
    if (!running) void run();
  };
}
