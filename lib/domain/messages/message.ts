import { isHtml, textToHtml, tidyText } from '#lib/domain/messages/html'
import { htmlToText } from '#lib/domain/messages/html-to-text'
import { leanHtml } from '#lib/domain/messages/lean-html'
import { renderLiquid } from '#lib/domain/messages/liquid'
import { missingFields } from '#lib/domain/messages/missing-fields'
import { seededNumbers } from '#lib/domain/messages/seed'
import { parseSpintax, spin } from '#lib/domain/messages/spintax'
import type { MessageTemplate } from '#lib/domain/messages/template'

export type RenderInput = {
  template: MessageTemplate
  /** The lead's row; its fields are used as `{{ first_name }}`. */
  lead: Record<string, unknown>
  /** The sender profile's data; used as `{{ sender.title }}`. */
  sender: Record<string, unknown>
  /** Determines the spintax choices; derived from campaign, lead and step. */
  seed: string
  unsubscribe_url?: string
  /** The subject of the thread that a follow-up belongs to. */
  thread_subject?: string | null
  /** The meaning of `"now"` in `date` filters; without it they print nothing. */
  clock?: { now: Date; timezone: string }
}

export type RenderedMessage = { subject: string; text: string; html: string }

export type RenderProblem = {
  code: 'template_invalid' | 'missing_fields' | 'empty_subject' | 'empty_body'
  message: string
  /** The fields without a value, for `missing_fields`. */
  names: string[]
}

export type RenderResult = { ok: true; message: RenderedMessage } | { ok: false; problems: RenderProblem[] }

/** The text of one message to one lead, or why it must not be sent. */
export function renderMessage(input: RenderInput): RenderResult {
  const { template } = input
  const next = seededNumbers(input.seed)
  const subject = part(template.subject ?? '', 'text', input, next)
  const kind = isHtml(template.body) ? 'html' : 'text'
  const body = part(template.body, kind, input, next)
  const problems = [...subject.problems, ...body.problems]
  if (problems.length > 0) return { ok: false, problems: mergedProblems(problems) }
  return finishMessage(
    { subject: template.subject === null ? null : subject.text, body: body.text, kind },
    input,
  )
}

/** A message with its final text, such as one that an AI wrote for a lead: it contains no template syntax. */
export function finishedMessage(
  words: MessageTemplate,
  thread: { thread_subject?: string | null } = {},
): RenderResult {
  return finishMessage({ ...words, kind: isHtml(words.body) ? 'html' : 'text' }, thread)
}

/** One plain text for a channel without subject or HTML. */
export function renderText(
  input: Omit<RenderInput, 'template' | 'thread_subject'> & { template: string },
): { ok: true; text: string } | { ok: false; problems: RenderProblem[] } {
  const { text, problems } = part(input.template, 'text', input, seededNumbers(input.seed))
  if (problems.length > 0) return { ok: false, problems }
  const clean = cleanText(text)
  return clean ? { ok: true, text: clean } : { ok: false, problems: [EMPTY_BODY] }
}

/** `Re:` plus the thread's subject unless the step has its own; null if there is neither. */
export function followUpSubject(own: string | null, threadSubject: string | null | undefined) {
  if (own?.trim()) return own
  const thread = threadSubject?.trim()
  if (!thread) return null
  return /^re\s*:/i.test(thread) ? thread : `Re: ${thread}`
}

const EMPTY_BODY: RenderProblem = { code: 'empty_body', message: 'The message has no text', names: [] }
const EMPTY_SUBJECT: RenderProblem = {
  code: 'empty_subject',
  message: 'The message has no subject',
  names: [],
}

function part(
  source: string,
  kind: 'text' | 'html',
  input: Omit<RenderInput, 'template'>,
  next: () => number,
): { text: string; problems: RenderProblem[] } {
  const scope = {
    ...plainRecord(input.lead),
    sender: plainRecord(input.sender),
    unsubscribe_url: input.unsubscribe_url ?? '',
  }
  // Spun before it is filled in: data of a lead's row is never read as spintax.
  const result = renderLiquid(spin(parseSpintax(source).nodes, next), kind, scope, input.clock)
  if (!result.ok) {
    const { line, column, message } = result.failure
    const where = `${message} (line ${line}, column ${column})`
    return { text: '', problems: [{ code: 'template_invalid', message: where, names: [] }] }
  }
  return { text: result.text, problems: result.missing.length > 0 ? [missingProblem(result.missing)] : [] }
}

function missingProblem(names: string[]): RenderProblem {
  return { code: 'missing_fields', message: missingFields(names), names }
}

/** The missing fields of subject and body as one problem. */
function mergedProblems(problems: RenderProblem[]) {
  const names = [...new Set(problems.flatMap((problem) => problem.names))]
  const others = problems.filter((problem) => problem.code !== 'missing_fields')
  return names.length > 0 ? [missingProblem(names), ...others] : others
}

function finishMessage(
  { subject, body, kind }: MessageTemplate & { kind: 'text' | 'html' },
  { thread_subject }: { thread_subject?: string | null },
): RenderResult {
  const line = headerText(followUpSubject(subject, thread_subject) ?? '')
  const clean = cleanText(body)
  const text = kind === 'html' ? htmlToText(clean) : clean
  const problems = [...(line ? [] : [EMPTY_SUBJECT]), ...(text ? [] : [EMPTY_BODY])]
  if (problems.length > 0) return { ok: false, problems }
  const html = kind === 'html' ? leanHtml(clean) : textToHtml(clean)
  return { ok: true, message: { subject: line, text, html } }
}

/** One line without control characters, so that no value can add a header or hide the rest of the line. */
export function headerText(text: string) {
  return text
    .replace(/[\p{Cc}\u2028\u2029\s]+/gu, ' ')
    .trim()
    .toWellFormed()
}

function cleanText(text: string) {
  return tidyText(text.replace(/(?![\t\n\r])\p{Cc}/gu, '').toWellFormed())
}

/** Data only: own fields, trimmed strings so that a cell of spaces counts as empty, no functions, bounded depth. */
export function plainRecord(record: Record<string, unknown>, depth = 0): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, plainValue(value, depth)]))
}

function plainValue(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return value.trim()
  if (typeof value === 'number' || typeof value === 'boolean') return value
  if (value instanceof Date) return value.toISOString()
  if (typeof value !== 'object' || value === null || depth > 4) return null
  if (Array.isArray(value)) return value.map((item) => plainValue(item, depth + 1))
  return plainRecord({ ...value }, depth + 1)
}
