import { refresh } from 'next/cache'
import { unstable_rethrow } from 'next/navigation'
import { ZodError } from 'zod'
import type { FormResult } from '#components/ui/controls/action-form'
import { AttachedFile, LeadFiles } from '#lib/contracts/messages/attachments'
import { AppError, ERRORS, type FieldProblem, ValidationError } from '#lib/errors'

/** The path of a problem as the form names its control: without the part of the request, dots between. */
const toControlName = ([first = '', ...rest]: readonly string[]) =>
  (['body', 'path', 'query'].includes(first) ? rest : [first, ...rest]).join('.')

/** What zod says to programs, said to people; the rest is plain enough. */
function plain(message: string): string {
  if (/^Too small: expected string to have >=1 /.test(message) || /received (undefined|NaN)$/.test(message))
    return 'Fill this in.'
  if (/^Invalid (UUID|option)/.test(message)) return 'Choose one.'
  return message
}

/** Below a field it stands by itself: “must be …” and “is no …” begin a sentence there. An address stays as it is. */
function sentence(message: string): string {
  const whole = /^(?:is|has) /.test(message) ? `this ${message}` : message
  return /^[a-z]+[ ,:]/.test(whole) ? whole.charAt(0).toUpperCase() + whole.slice(1) : whole
}

/** Of so many entries that stand in one control it is said what is wrong with them. */
const SAID = 3
/** A refusal names a hundred problems at most, so that the number of all is not known. */
const MANY = 90

type Placed = { loc: readonly string[]; name: string; message: string }

/** Each control with what is said below it: of a list of entries the first few, of one entry the first problem. */
function toFields(problems: Placed[]): Record<string, string> {
  const controls = Map.groupBy(problems, ({ name }) => name)
  return Object.fromEntries(
    [...controls].map(([name, own]) => {
      const entries = Map.groupBy(own, ({ loc }) => loc.join('.'))
      const said = [...new Set([...entries.values()].flatMap(([first]) => first?.message ?? []))]
      const rest = said.length - SAID
      if (said.length <= 1) return [name, sentence(said[0] ?? '')]
      const more = rest > 0 ? [rest > MANY ? 'and many more' : `and ${rest} more`] : []
      const parts = said.slice(0, SAID).map((message) => sentence(message).replace(/\.$/, ''))
      return [name, `${[...parts, ...more].join('; ')}.`]
    }),
  )
}

function refusal(
  problems: Pick<FieldProblem, 'loc' | 'msg'>[],
  toName: (control: string) => string,
): Refused {
  const fields = problems.map(({ loc, msg }) => [toName(toControlName(loc)), plain(msg)] as const)
  const named = fields.map(([name, message]) => (name ? `${name}: ${message}` : message))
  return {
    ok: false,
    message: `Nothing was saved. ${[...new Set(named)].slice(0, 4).join('; ')}`,
    lists: true,
    fields: toFields(
      problems.map(({ loc, msg }) => ({ loc, name: toName(toControlName(loc)), message: plain(msg) })),
    ),
  }
}

/** What the table of refusals says to programs of their pace, said to people. */
function errorMessage({ code, message, retryAfterSeconds }: AppError): string {
  if (code !== 'rate_limited' || message !== ERRORS.rate_limited.message) return message
  const seconds = Math.max(1, Math.ceil(retryAfterSeconds ?? 1))
  return `Too many requests. Try again in ${seconds === 1 ? 'a second' : `${seconds} seconds`}.`
}

const itself = (control: string) => control

export type Refused = Extract<FormResult, { ok: false }>

/**
 * What a person can act upon, in words, with the control they belong to; anything else is for the error page. `toName`
 * turns a path of the body into the name of a control.
 */
export function refused(error: unknown, toName = itself): Refused {
  unstable_rethrow(error)
  if (error instanceof AppError && ['changed_meanwhile', 'answered_meanwhile'].includes(error.code)) {
    // So that the form is shown what is there now, to choose between the two.
    refresh()
    return { ok: false, message: error.message, stale: true }
  }
  if (error instanceof AppError && error.code !== 'internal_error')
    return { ok: false, message: errorMessage(error) }
  if (error instanceof ValidationError) return refusal(error.problems, toName)
  if (error instanceof ZodError)
    return refusal(
      error.issues.map(({ path, message }) => ({ loc: path.map(String), msg: message })),
      toName,
    )
  throw error
}

/** Runs a server action's work: its words, or those of its refusal. */
export async function formResult(
  work: () => Promise<string | undefined>,
  toName = itself,
): Promise<FormResult> {
  try {
    const message = await work()
    return message === undefined ? { ok: true } : { ok: true, message }
  } catch (error) {
    return refused(error, toName)
  }
}

/** The text of one control; empty where it is absent. */
export function formText(data: FormData, name: string): string {
  const value = data.get(name)
  return typeof value === 'string' ? value.trim() : ''
}

/** A number control; undefined where it was left empty, NaN where it holds none, which no schema lets through. */
export function formNumber(data: FormData, name: string): number | undefined {
  const text = formText(data, name)
  return text === '' ? undefined : Number(text)
}

/** A hidden control that carries JSON. What does not parse reads as undefined, which its schema refuses. */
export function formJson(data: FormData, name: string): unknown {
  try {
    return JSON.parse(formText(data, name))
  } catch {
    return undefined
  }
}

/** What is shown of an act before it is done; null where the act would be refused, as it then says itself. */
export async function orNull<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work
  } catch (error) {
    if (error instanceof AppError || error instanceof ValidationError) return null
    throw error
  }
}

/** The version that a form was made from, where it says one. */
export const formVersion = (data: FormData): number | undefined => formNumber(data, 'version')

/** The files of a form; what is no list of files is refused, so that nothing leaves without them. */
export function attachedIds(data: FormData): unknown[] {
  if (formText(data, 'attachments') === '') return []
  const given = formJson(data, 'attachments')
  const files = AttachedFile.array().safeParse(given)
  return files.success ? files.data.map(({ attachment_id }) => attachment_id) : [given]
}

/** The files of which each lead gets its own; null where the form has none. What cannot be read is for the schema to refuse. */
export function leadFiles(data: FormData): unknown {
  if (formText(data, 'lead_files') === '') return null
  const given = formJson(data, 'lead_files')
  const read = GivenLeadFiles.safeParse(given)
  if (!read.success) return given
  const { files, ...chosen } = read.data
  return { ...chosen, attachment_ids: files.map(({ attachment_id }) => attachment_id) }
}

const GivenLeadFiles = LeadFiles.pick({ column: true, without: true }).extend({ files: AttachedFile.array() })
