import { BELLS, type Bell } from '#lib/domain/sending/wake'
import { noteRing, ring, type Worked } from '#lib/services/instance/bells'

type Work = () => Promise<unknown>

/**
 * Does one work after the other; what goes wrong in one does not keep the others from being done, and is told then. Answers
 * whether one of them has more to do at once.
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
 * Arms all bells anew, since one that seems to be on its way may be lost, and does whatever is overdue itself, since the next
 * one may be lost too. What hangs in one work holds up neither the others nor the bells.
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
