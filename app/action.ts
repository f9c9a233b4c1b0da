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

/** What an action asks of its operation, before any of it is checked. */
type Given = Partial<Raw>

/** What comes in by an action is not counted on its way, as a request's body is. */
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
    // Under the same name as a JWT of theirs, so that nobody gains by asking through both.
    enter: paying({ ...user, credential_id: personCredential(user.workspace_id, user.user_id) }, now),
    read: (contract) => {
      checkSize(contract, body)
      return { params: params ?? {}, query: query ?? {}, body }
    },
    now,
    // Next tells no action that its page was left.
    signal: new AbortController().signal,
  }
}

/** Runs an operation as the signed-in user, by the same `act` as programs and agents. `as`: the user, if no page names the workspace. */
export async function perform<C extends Contract>(
  operation: Operation<C>,
  given: Given = {},
  as?: SignedIn,
): Promise<Output<C>> {
  return act(operation, await asking(given, as))
}

/** What it would do, of an operation that can say so. */
export async function rehearse<C extends Contract>(
  operation: Operation<C>,
  given: Given,
): Promise<Rehearsed<C>> {
  return rehearsed(operation, await asking(given))
}

/** For what shows the answer itself: a refusal in words. */
export async function answered<T>(work: () => Promise<T>): Promise<{ ok: true; answer: T } | Refused> {
  try {
    return { ok: true, answer: await work() }
  } catch (error) {
    return refused(error)
  }
}

type Then<C extends Contract, A extends unknown[]> = {
  /** What is said of it. Throws where what was done is no success. */
  said?: string | ((answer: Output<C>, ...given: A) => string | undefined)
  /** Every page at and below this path shows what is there now. */
  anew?: string
  /** Where it goes on. */
  to?: string | ((answer: Output<C>) => string)
  /** The name of the control to which a path of the body belongs. */
  control?: (path: string) => string
}

function finish<C extends Contract, A extends unknown[]>(answer: Output<C>, then: Then<C, A>, given: A) {
  const { said, anew, to } = then
  if (anew) revalidatePath(anew, 'layout')
  if (to) redirect(typeof to === 'string' ? to : to(answer))
  return typeof said === 'function' ? said(answer, ...given) : said
}

/** A server action: an operation, how what the page gives becomes its input, and what is said of it. */
export const action =
  <C extends Contract, A extends unknown[]>(
    operation: Operation<C>,
    input: (...given: A) => Given,
    then: Then<C, A> = {},
  ) =>
  (...given: A): Promise<FormResult> =>
    formResult(async () => finish(await perform(operation, input(...given)), then, given), then.control)

/** The same for a form: `ids` are bound by the page, the form's data comes last. */
export const formAction =
  <C extends Contract, I extends unknown[]>(
    operation: Operation<C>,
    input: (data: FormData, ...ids: I) => Given,
    then: Then<C, I> = {},
  ) =>
  (...given: [...ids: I, previous: FormResult | null, data: FormData]): Promise<FormResult> => {
    // No type takes the end off a list of unknown length: what the page bound comes first, the form's data last.
    const [ids, data] = [given.slice(0, -2), given.at(-1)] as [ids: I, data: FormData]
    return formResult(
      async () => finish(await perform(operation, input(data, ...ids)), then, ids),
      then.control,
    )
  }
