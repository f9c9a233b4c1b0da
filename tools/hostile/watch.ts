import { Worker } from 'node:worker_threads'

export type Watch = { longest(): number; end(): Promise<unknown> }

/** Requests an address again and again from its own thread, so that work of this process does not count as a wait. */
export function watchHealth(address: string): Watch {
  const shared = new Float64Array(new SharedArrayBuffer(16))
  const code = `const { workerData: { shared, address } } = require('node:worker_threads')
    ;(async () => {
      for (;;) {
        shared[1] = performance.now() + performance.timeOrigin
        await fetch(address).then((response) => response.text())
        const took = performance.now() + performance.timeOrigin - shared[1]
        if (took > shared[0]) shared[0] = took
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
    })()`
  const worker = new Worker(code, { eval: true, workerData: { shared, address } })
  return {
    /** The longest wait since the last call, including one that has not ended yet. */
    longest() {
      const under_way = shared[1] ? performance.now() + performance.timeOrigin - (shared[1] ?? 0) : 0
      const longest = Math.max(shared[0] ?? 0, Math.min(under_way, 60_000))
      shared[0] = 0
      return Math.round(longest)
    },
    end: () => worker.terminate(),
  }
}
