import { BELLS, type Bell } from '#lib/domain/sending/wake'
import { noteRing, ring, type Worked } from '#lib/services/instance/bells'

type Work = () => Promise<unknown>

/**
 * Runs works one after the other; an error in one does not stop the others and is thrown at the end. Returns whether one of them has more
 * to do at once.
 */
export async function doAll(works: Work[]): Promise<Worked> {
  const faults: unknown[] = []
  let goes_on = false
  for (const work of works) {
    const done = await work().catch((fault: unknown) => void faults.push(fault))
    goes_on ||= typeof done === 'object' && done !== null && 'goes_on' in done && done.goes_on === true
  }
  if (faults.length > 0) throw new AggregateError(faults, `${faults.length} works failed`)
  return { goes_on }
}

/**
 * Arms all bells again, since one that seems armed may be lost, and does overdue work itself, since the next ring may be lost too. A work
 * that hangs delays neither the others nor the bells.
 */
export async function sweepAll(works: Record<Bell, Work>, tidying: Work[]): Promise<{ rung: Bell[] }> {
  for (const bell of BELLS) await noteRing(bell, new Date())
  const rung = (await ring(new Date(), { anew: true })).map(({ bell }) => bell)
  const outcomes = await Promise.allSettled([
    ...BELLS.map((bell) => works[bell]().finally(() => ring())),
    doAll(tidying),
  ])
  const faults = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
  if (faults.length > 0) throw new AggregateError(faults, `${faults.length} works of the sweep failed`)
  return { rung }
}
