/**
 * A queue of leads by due instant, ties by lead_index. Kept in typed arrays, because a forecast moves half a million entries through
 * it and objects would cost more than the work. Most entries arrive in order and are appended to a sorted run; the others go into a
 * binary heap.
 */
export interface LeadQueue {
  size: number
  readonly run: Entries
  readonly heap: Entries
}

interface Entries {
  /** The first entry not taken yet; always 0 in a heap. */
  from: number
  to: number
  due: Float64Array
  /** The tie-breaker: the lead_index. */
  rank: Float64Array
  /** The lead's index in the caller's arrays. */
  place: Int32Array
}

export const leadQueue = (capacity = 16): LeadQueue => ({
  size: 0,
  run: makeEntries(capacity),
  heap: makeEntries(1),
})

const makeEntries = (capacity: number): Entries => ({
  from: 0,
  to: 0,
  due: new Float64Array(capacity),
  rank: new Float64Array(capacity),
  place: new Int32Array(capacity),
})

/** When the first in the queue is due; Infinity when it is empty. */
export function headDue(queue: LeadQueue): number {
  if (queue.size === 0) return Number.POSITIVE_INFINITY
  const { due, from } = first(queue)
  return due[from] ?? Number.POSITIVE_INFINITY
}

export function headRank(queue: LeadQueue): number {
  if (queue.size === 0) return Number.POSITIVE_INFINITY
  const { rank, from } = first(queue)
  return rank[from] ?? Number.POSITIVE_INFINITY
}

export function headPlace(queue: LeadQueue): number {
  if (queue.size === 0) return -1
  const { place, from } = first(queue)
  return place[from] ?? -1
}

export function push(queue: LeadQueue, due: number, rank: number, place: number): void {
  queue.size++
  const { run, heap } = queue
  if (run.from === run.to || !isBefore(due, rank, run, run.to - 1)) append(run, due, rank, place)
  else pushHeap(heap, due, rank, place)
}

/** Removes the first entry; does nothing on an empty queue. */
export function pop(queue: LeadQueue): void {
  if (queue.size === 0) return
  queue.size--
  if (first(queue) === queue.heap) popHeap(queue.heap)
  else queue.run.from++
}

/** The last entry of several queues; null if all are empty. */
export function findLast(queues: readonly LeadQueue[]): { due: number; rank: number } | null {
  let last: { due: number; rank: number } | null = null
  for (const { due, rank, from, to } of queues.flatMap(({ run, heap }) => [run, heap]))
    for (let index = from; index < to; index++) {
      const one = { due: due[index] ?? 0, rank: rank[index] ?? 0 }
      if (!last || one.due > last.due || (one.due === last.due && one.rank > last.rank)) last = one
    }
  return last
}

/** The part of a non-empty queue that holds its first entry. */
function first({ run, heap }: LeadQueue): Entries {
  if (heap.to === 0) return run
  if (run.from === run.to) return heap
  return isBefore(run.due[run.from] ?? 0, run.rank[run.from] ?? 0, heap, 0) ? run : heap
}

function append(run: Entries, due: number, rank: number, place: number): void {
  if (run.from === run.to) run.from = run.to = 0
  if (run.to === run.due.length) makeRoom(run)
  put(run, run.to++, due, rank, place)
}

function pushHeap(heap: Entries, due: number, rank: number, place: number): void {
  if (heap.to === heap.due.length) makeRoom(heap)
  let index = heap.to++
  while (index > 0) {
    const parent = (index - 1) >>> 1
    if (!isBefore(due, rank, heap, parent)) break
    move(heap, parent, index)
    index = parent
  }
  put(heap, index, due, rank, place)
}

function popHeap(heap: Entries): void {
  const last = --heap.to
  const due = heap.due[last] ?? 0
  const rank = heap.rank[last] ?? 0
  const place = heap.place[last] ?? 0
  let index = 0
  for (;;) {
    let child = 2 * index + 1
    if (child >= last) break
    const right = child + 1
    if (right < last && isBefore(heap.due[right] ?? 0, heap.rank[right] ?? 0, heap, child)) child = right
    if (isBefore(due, rank, heap, child)) break
    move(heap, child, index)
    index = child
  }
  put(heap, index, due, rank, place)
}

function isBefore(due: number, rank: number, entries: Entries, index: number): boolean {
  const other = entries.due[index] ?? 0
  return due < other || (due === other && rank < (entries.rank[index] ?? 0))
}

function move(entries: Entries, from: number, to: number): void {
  put(entries, to, entries.due[from] ?? 0, entries.rank[from] ?? 0, entries.place[from] ?? 0)
}

function put(entries: Entries, index: number, due: number, rank: number, place: number): void {
  entries.due[index] = due
  entries.rank[index] = rank
  entries.place[index] = place
}

/** Makes room: moves the entries to the front if that frees half of the arrays, else doubles them. */
function makeRoom(entries: Entries): void {
  const { due, rank, place, from, to } = entries
  const capacity = (to - from) * 2 > due.length ? due.length * 2 : due.length
  const isSame = capacity === due.length
  entries.due = isSame ? due : new Float64Array(capacity)
  entries.due.set(due.subarray(from, to))
  entries.rank = isSame ? rank : new Float64Array(capacity)
  entries.rank.set(rank.subarray(from, to))
  entries.place = isSame ? place : new Int32Array(capacity)
  entries.place.set(place.subarray(from, to))
  entries.from = 0
  entries.to = to - from
}
