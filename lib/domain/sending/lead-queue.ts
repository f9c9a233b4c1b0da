/**
 * A queue of leads by the instant at which they are due, ties by lead_index: a binary heap in typed arrays, since a
 * forecast moves half a million entries through it and as many objects would cost more than the work.
 */
export interface LeadQueue {
  size: number
  due: Float64Array
  /** Orders equal instants: the lead_index. */
  rank: Float64Array
  /** Where the lead stands in the caller's own arrays. */
  place: Int32Array
}

export function leadQueue(capacity = 16): LeadQueue {
  return {
    size: 0,
    due: new Float64Array(capacity),
    rank: new Float64Array(capacity),
    place: new Int32Array(capacity),
  }
}

/** When the first in the queue is due; Infinity when it is empty. */
export function headDue(queue: LeadQueue): number {
  return queue.size > 0 ? (queue.due[0] ?? Number.POSITIVE_INFINITY) : Number.POSITIVE_INFINITY
}

export function headRank(queue: LeadQueue): number {
  return queue.rank[0] ?? Number.POSITIVE_INFINITY
}

export function headPlace(queue: LeadQueue): number {
  return queue.place[0] ?? -1
}

export function push(queue: LeadQueue, due: number, rank: number, place: number): void {
  if (queue.size === queue.due.length) grow(queue)
  let index = queue.size++
  while (index > 0) {
    const parent = (index - 1) >>> 1
    if (!isBefore(due, rank, queue, parent)) break
    move(queue, parent, index)
    index = parent
  }
  put(queue, index, due, rank, place)
}

/** Takes the first out; asking an empty queue changes nothing. */
export function pop(queue: LeadQueue): void {
  if (queue.size === 0) return
  const last = --queue.size
  const due = queue.due[last] ?? 0
  const rank = queue.rank[last] ?? 0
  const place = queue.place[last] ?? 0
  let index = 0
  for (;;) {
    let child = 2 * index + 1
    if (child >= last) break
    const right = child + 1
    if (right < last && isBefore(queue.due[right] ?? 0, queue.rank[right] ?? 0, queue, child)) child = right
    if (isBefore(due, rank, queue, child)) break
    move(queue, child, index)
    index = child
  }
  put(queue, index, due, rank, place)
}

function isBefore(due: number, rank: number, queue: LeadQueue, index: number): boolean {
  const other = queue.due[index] ?? 0
  return due < other || (due === other && rank < (queue.rank[index] ?? 0))
}

function move(queue: LeadQueue, from: number, to: number): void {
  put(queue, to, queue.due[from] ?? 0, queue.rank[from] ?? 0, queue.place[from] ?? 0)
}

function put(queue: LeadQueue, index: number, due: number, rank: number, place: number): void {
  queue.due[index] = due
  queue.rank[index] = rank
  queue.place[index] = place
}

function grow(queue: LeadQueue): void {
  const { due, rank, place } = queue
  const capacity = due.length * 2
  queue.due = new Float64Array(capacity)
  queue.due.set(due)
  queue.rank = new Float64Array(capacity)
  queue.rank.set(rank)
  queue.place = new Int32Array(capacity)
  queue.place.set(place)
}
