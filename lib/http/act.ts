import { answerSchema, type Contract, isDryRun, type Output, type Rehearsed } from '#lib/contracts/contract'
import { audit } from '#lib/http/audit'
import { type Caller, requireOwn, requireScope } from '#lib/http/auth'
import { type ParsedInput, parseInput, type Raw } from '#lib/http/parse'
import { limitRate } from '#lib/http/rate-limit'
import type { AnyOperation, Operation } from '#lib/operations/operation'
import { ringQuietly } from '#lib/services/instance/bells'
import { AI_SEATS, type GiveBack, seatOrRefusal } from '#lib/services/instance/seats'
import { traced } from '#lib/tracing'

export type Asking = {
  /** Who asks, once the toll is paid; undefined where an open operation lets in whoever comes. */
  enter: (contract: Contract) => Promise<Caller | undefined>
  /** What they ask; read only from whom is let in. */
  read: (contract: Contract) => Raw | Promise<Raw>
  /** How the log calls them, where it is not as whom their credential says. */
  as?: { by_assistant: true }
  now: Date
  signal: AbortSignal
}

/** Of an answer that goes on once the operation was done: whoever holds it gives its seat back at its end. */
type Hold<T> = (
  result: unknown,
  context: ParsedInput & { user: Caller; now: Date; signal: AbortSignal },
  giveBack: GiveBack,
) => T

/** What is only queued is answered at once, and takes its turn in the engine. */
const isWaitedFor = ({ rate, status }: Contract) => rate === 'ai' && status !== 202

/**
 * The one door to an operation, whoever asks and through which handle: toll, scope, parse, act, audit, filter, in this order.
 * Answers undefined where the operation answers nothing; a file's parts are handed on as they are.
 */
export async function act<C extends Contract>(operation: Operation<C>, asking: Asking): Promise<Output<C>>
export async function act(operation: AnyOperation, asking: Asking): Promise<unknown>
export async function act<T>(operation: AnyOperation, asking: Asking, hold: Hold<T>): Promise<T>
export async function act(operation: AnyOperation, asking: Asking, hold?: Hold<unknown>): Promise<unknown> {
  return traced(`act ${operation.contract.id}`, {}, () => walk(operation, asking, hold))
}

async function walk(
  operation: AnyOperation,
  { enter, read, as, now, signal }: Asking,
  hold?: Hold<unknown>,
): Promise<unknown> {
  const { contract } = operation
  const user = await enter(contract)
  if (user) requireScope(user, contract)
  const input = parseInput(contract, await read(contract))
  if (user) await requireOwn(user, contract, input)
  const giveBack =
    user && isWaitedFor(contract) ? await seatOrRefusal(AI_SEATS, user.workspace_id) : async () => undefined
  let isHeld = false
  try {
    const result = await traced(`service ${contract.id}`, {}, async () =>
      operation.act({ ...input, user, now, signal }),
    )
    // Whatever it has written may be due earlier than anybody will look; somebody waits for it.
    if (contract.method !== 'GET') await ringQuietly(now, { pause_ms: 0 })
    // A talk changes nothing by itself; what the assistant does in it is logged as that.
    if (user && !contract.stream && !isDryRun(contract, input.query))
      await audit({ ...user, ...as }, contract, { params: input.params, body: input.body, result, now })
    if (hold && user) {
      const answer = hold(result, { ...input, user, now, signal }, giveBack)
      isHeld = true
      return answer
    }
    return filtered(contract, input.query, result)
  } finally {
    if (!isHeld) await giveBack()
  }
}

/** What it would do, of an operation that can say so. */
export async function rehearsed<C extends Contract>(
  operation: Operation<C>,
  asking: Asking,
): Promise<Rehearsed<C>> {
  const read = async (contract: Contract) => ({
    ...(await asking.read(contract)),
    query: { dry_run: 'true' },
  })
  // Filtered by the schema of rehearsals, since it was asked for one.
  return (await act(operation, { ...asking, read })) as Rehearsed<C>
}

/** Only the schema's fields leave, in the schema's form. */
function filtered(contract: Contract, query: unknown, result: unknown): unknown {
  const response = answerSchema(contract, query)
  if (!response) return undefined
  return contract.file ? result : response.parse(result)
}

/** Of somebody who is known already, by whatever they showed: what is left to do is to pay. */
export const paying =
  (caller: Caller, now: Date): Asking['enter'] =>
  async (contract) => {
    await limitRate(contract, caller, now)
    return caller
  }
