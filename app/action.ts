import { revalidatePath } from 'next/cache'
import { redirect } from 'next/navigation'
import type { FormResult } from '#components/ui/controls/action-form'
import type { Contract, Output, Rehearsed } from '#lib/contracts/contract'
import { ReadAccount } from '#lib/contracts/workspaces/account'
import { AppError } from '#lib/errors'
import { type Asking, act, paying, rehearsed } from '#lib/http/act'
import type { Raw } from '#lib/http/parse'
import { requireUser, type SignedIn } from '#lib/http/session'
import type { Operation } from '#lib/operations/operation'
import { personCredential } from '#lib/services/workspaces/tokens'
import { formResult, type Refused, refused } from './form-result.ts'

/** An action's input before validation. */
type Given = Partial<Raw>

/** Server actions have no size limit per operation as API requests do, so check it here. */
function checkSize({ max_bytes }: Contract, body: unknown): void {
  const parts: unknown[] = Object.values(body ?? {})
  const size = parts.reduce((sum: number, part) => sum + (part instanceof File ? part.size : 0), 0)
  if (max_bytes === undefined || size <= max_bytes) return
  const most = `${Math.floor(max_bytes / 1024 / 1024)} MB`
  throw new AppError('body_too_large', { message: `The file is larger than ${most}. Split it.` })
}

async function asking({ params, query, body }: Given, as?: SignedIn): Promise<Asking> {
  const user = as ?? (await requireUser(ReadAccount))
  const now = new Date()
  return {
    // The same name as for the user's JWTs, so that both share one rate limit.
    enter: paying({ ...user, credential_id: personCredential(user.workspace_id, user.user_id) }, now),
    read: (contract) => {
      checkSize(contract, body)
      return { params: params ?? {}, query: query ?? {}, body }
    },
    now,
    // Next does not tell an action that its page was left.
    signal: new AbortController().signal,
  }
}

/**
 * Runs an operation as the signed-in user, through the same `act` as API and agents. `as`: the user, if no
 * page determines the workspace.
 */
export async function perform<C extends Contract>(
  operation: Operation<C>,
  given: Given = {},
  as?: SignedIn,
): Promise<Output<C>> {
  return act(operation, await asking(given, as))
}

/** A dry run, for operations that support it. */
export async function rehearse<C extends Contract>(
  operation: Operation<C>,
  given: Given,
): Promise<Rehearsed<C>> {
  return rehearsed(operation, await asking(given))
}

/** For callers that show the answer themselves; a refusal becomes a message. */
export async function answered<T>(work: () => Promise<T>): Promise<{ ok: true; answer: T } | Refused> {
  try {
    return { ok: true, answer: await work() }
  } catch (error) {
    return refused(error)
  }
}

type Then<C extends Contract, A extends unknown[]> = {
  /** The success message. Throws if the result is not a success. */
  said?: string | ((answer: Output<C>, ...given: A) => string | undefined)
  /** Every page at and below this path is refreshed. */
  anew?: string
  /** Where to redirect. */
  to?: string | ((answer: Output<C>) => string)
  /** Maps a path of the body to the name of its control. */
  control?: (path: string) => string
}

function finish<C extends Contract, A extends unknown[]>(answer: Output<C>, then: Then<C, A>, given: A) {
  const { said, anew, to } = then
  if (anew) revalidatePath(anew, 'layout')
  if (to) redirect(typeof to === 'string' ? to : to(answer))
  return typeof said === 'function' ? said(answer, ...given) : said
}

/**
 * Makes a server action: an operation, how the page's arguments become its input, and the success message.
 */
export const action =
  <C extends Contract, A extends unknown[]>(
    operation: Operation<C>,
    input: (...given: A) => Given,
    then: Then<C, A> = {},
  ) =>
  (...given: A): Promise<FormResult> =>
    formResult(async () => finish(await perform(operation, input(...given)), then, given), then.control)

/** The same for a form: `ids` are bound by the page, and the form's data comes last. */
export const formAction =
  <C extends Contract, I extends unknown[]>(
    operation: Operation<C>,
    input: (data: FormData, ...ids: I) => Given,
    then: Then<C, I> = {},
  ) =>
  (...given: [...ids: I, previous: FormResult | null, data: FormData]): Promise<FormResult> => {
    // No type can drop the end of a tuple of unknown length: bound ids come first, the form's data last.
    const [ids, data] = [given.slice(0, -2), given.at(-1)] as [ids: I, data: FormData]
    return formResult(
      async () => finish(await perform(operation, input(data, ...ids)), then, ids),
      then.control,
    )
  }
