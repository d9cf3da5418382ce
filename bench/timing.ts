/** A piece of work to be timed: `batch(times)` repeats it and returns the seconds by its own clock. */
export interface Runner {
  name: string;
  batch(times: number): number | Promise<number>;
}

export function runner(name: string, once: () => void): Runner {
  return {
    name,
    batch(times) {
      const start = performance.now();
      for (let i = 0; i < times; i++) once();
      return (performance.now() - start) / 1000;
    },
  };
}

/**
 * Best seconds for one run of each, in turns, so that noise of the machine hits them alike. A batch takes about `batchSeconds`, long enough
 * for the first run, which finds the caches full of another's data, to weigh little (a runner in a process of its own may keep its core's
 * caches); each runner ends when it has used its `seconds`.
 */
export async function race(runners: Runner[], seconds = 0.6, batchSeconds = 0.03): Promise<Map<string, number>> {
  const best = new Map<string, number>();
  const lanes = [];
  for (const { name, batch } of runners) {
    const first = await batch(1);
    let times = 1;
    // warm up, and find how many runs fill a batch
    for (let spent = first; spent < seconds / 2; ) {
      const used = await batch(times);
      spent += used + 1e-6;
      times = Math.max(1, Math.min(times * 4, Math.round((times * batchSeconds) / Math.max(used, 1e-7))));
    }
    best.set(name, Number.POSITIVE_INFINITY);
    lanes.push({ name, batch, times, left: seconds });
  }
  for (let open = lanes; open.length > 0; open = open.filter((lane) => lane.left > 0)) {
    for (const lane of open) {
      const used = await lane.batch(lane.times);
      lane.left -= used;
      best.set(lane.name, Math.min(best.get(lane.name)!, used / lane.times));
    }
  }
  return best;
}
