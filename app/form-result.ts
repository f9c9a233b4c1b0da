import { refresh } from 'next/cache'
import { unstable_rethrow } from 'next/navigation'
import { ZodError } from 'zod'
import type { FormResult } from '#components/ui/controls/action-form'
import { AttachedFile, LeadFiles } from '#lib/contracts/messages/attachments'
import { AppError, ERRORS, type FieldProblem, ValidationError } from '#lib/errors'

/** The control name for a problem's path: without the part of the request, joined by dots. */
const toControlName = ([first = '', ...rest]: readonly string[]) =>
  (['body', 'path', 'query'].includes(first) ? rest : [first, ...rest]).join('.')

/** Rewrites zod's messages for people where needed. */
function plain(message: string): string {
  if (/^Too small: expected string to have >=1 /.test(message) || /received (undefined|NaN)$/.test(message))
    return 'Fill this in.'
  if (/^Invalid (UUID|option)/.test(message)) return 'Choose one.'
  return message
}

/**
 * Below a field a message stands alone, so “must be …” and “is no …” become sentences. An email address at
 * the start stays unchanged.
 */
function sentence(message: string): string {
  const whole = /^(?:is|has) /.test(message) ? `this ${message}` : message
  return /^[a-z]+[ ,:]/.test(whole) ? whole.charAt(0).toUpperCase() + whole.slice(1) : whole
}

/** How many problems are shown for one control with many entries. */
const SAID = 3
/** A refusal lists at most a hundred problems, so beyond this the total is unknown. */
const MANY = 90

type Placed = { loc: readonly string[]; name: string; message: string }

/**
 * The message below each control: the first few problems of a list of entries, the first problem of a single
 * one.
 */
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

/** Rewrites rate limit errors for people. */
function errorMessage({ code, message, retryAfterSeconds }: AppError): string {
  if (code !== 'rate_limited' || message !== ERRORS.rate_limited.message) return message
  const seconds = Math.max(1, Math.ceil(retryAfterSeconds ?? 1))
  return `Too many requests. Try again in ${seconds === 1 ? 'a second' : `${seconds} seconds`}.`
}

const itself = (control: string) => control

export type Refused = Extract<FormResult, { ok: false }>

/**
 * A message for errors that the user can act upon, with the control it belongs to; any other error goes to
 * the error page. `toName` maps a path of the body to a control name.
 */
export function refused(error: unknown, toName = itself): Refused {
  unstable_rethrow(error)
  if (error instanceof AppError && ['changed_meanwhile', 'answered_meanwhile'].includes(error.code)) {
    // Refreshes the form, so that the user sees both versions and can choose.
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

/** Runs a server action and returns its message, or that of its refusal. */
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

/** The text of one control; empty if it is absent. */
export function formText(data: FormData, name: string): string {
  const value = data.get(name)
  return typeof value === 'string' ? value.trim() : ''
}

/** The value of a number control; undefined if empty, NaN if invalid, which every schema refuses. */
export function formNumber(data: FormData, name: string): number | undefined {
  const text = formText(data, name)
  return text === '' ? undefined : Number(text)
}

/** The value of a hidden JSON control; undefined if invalid, which its schema refuses. */
export function formJson(data: FormData, name: string): unknown {
  try {
    return JSON.parse(formText(data, name))
  } catch {
    return undefined
  }
}

/** The preview of an action; null if the action would be refused, since it will then report that itself. */
export async function orNull<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work
  } catch (error) {
    if (error instanceof AppError || error instanceof ValidationError) return null
    throw error
  }
}

/** The version a form is based on, if any. */
export const formVersion = (data: FormData): number | undefined => formNumber(data, 'version')

/** The attachments of a form. An invalid list is refused, so that nothing is sent without its files. */
export function attachedIds(data: FormData): unknown[] {
  if (formText(data, 'attachments') === '') return []
  const given = formJson(data, 'attachments')
  const files = AttachedFile.array().safeParse(given)
  return files.success ? files.data.map(({ attachment_id }) => attachment_id) : [given]
}

/** A form's files per lead; null if it has none. Invalid data is left to the schema to refuse. */
export function leadFiles(data: FormData): unknown {
  if (formText(data, 'lead_files') === '') return null
  const given = formJson(data, 'lead_files')
  const read = GivenLeadFiles.safeParse(given)
  if (!read.success) return given
  const { files, ...chosen } = read.data
  return { ...chosen, attachment_ids: files.map(({ attachment_id }) => attachment_id) }
}

const GivenLeadFiles = LeadFiles.pick({ column: true, without: true }).extend({ files: AttachedFile.array() })
