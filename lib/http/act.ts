import { answerSchema, type Contract, isDryRun, type Output, type Rehearsed } from '#lib/contracts/contract'
import { audit } from '#lib/http/audit'
import { type Caller, requireOwn, requireScope } from '#lib/http/auth'
import { type ParsedInput, parseInput, type Raw } from '#lib/http/parse'
import { limitRate } from '#lib/http/rate-limit'
import type { AnyOperation, Operation } from '#lib/operations/operation'
import { ringQuietly } from '#lib/services/instance/bells'
import { toldIfFull } from '#lib/services/instance/full-disk'
import { AI_SEATS, type GiveBack, seatOrRefusal } from '#lib/services/instance/seats'
import { traced } from '#lib/tracing'

export type Asking = {
  /** Authenticates the caller and counts the request; undefined for an open operation called anonymously. */
  enter: (contract: Contract) => Promise<Caller | undefined>
  /** The request's input; read only once the caller is admitted. */
  read: (contract: Contract) => Raw | Promise<Raw>
  /** The actor for the audit log, if it is not the credential's own. */
  as?: { by_assistant: true }
  now: Date
  signal: AbortSignal
}

/** Set for a response that is still being read after the operation is done: its reader releases the seat at the end. */
type Hold<T> = (
  result: unknown,
  context: ParsedInput & { user: Caller; now: Date; signal: AbortSignal },
  giveBack: GiveBack,
) => T

/** Operations that only queue work take no seat: the work takes its turn in the engine. */
const isWaitedFor = ({ rate, status }: Contract) => rate === 'ai' && status !== 202

/**
 * The only way to run an operation, for people, programs and agents alike: rate limit, scope, parse, act, audit, filter, in this
 * order. Returns undefined for an operation without a response; a file's parts are passed through.
 */
export async function act<C extends Contract>(operation: Operation<C>, asking: Asking): Promise<Output<C>>
export async function act(operation: AnyOperation, asking: Asking): Promise<unknown>
export async function act<T>(operation: AnyOperation, asking: Asking, hold: Hold<T>): Promise<T>
export async function act(operation: AnyOperation, asking: Asking, hold?: Hold<unknown>): Promise<unknown> {
  return traced(`act ${operation.contract.id}`, {}, () =>
    walk(operation, asking, hold).catch((error: unknown) => {
      throw toldIfFull(error)
    }),
  )
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
    // What it wrote may be due sooner than the next scheduled look, and the caller waits for it.
    if (contract.method !== 'GET') await ringQuietly(now, { pause_ms: 0 })
    // A conversation changes nothing itself; what the assistant does in it is logged separately.
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

/** A dry run of an operation that supports it. */
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

/** Filters a result by the response schema: no other field leaves the server. */
function filtered(contract: Contract, query: unknown, result: unknown): unknown {
  const response = answerSchema(contract, query)
  if (!response) return undefined
  return contract.file ? result : response.parse(result)
}

/** For a caller who is authenticated already: only the request is counted. */
export const paying =
  (caller: Caller, now: Date): Asking['enter'] =>
  async (contract) => {
    await limitRate(contract, caller, now)
    return caller
  }
