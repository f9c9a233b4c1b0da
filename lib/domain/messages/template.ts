import type { LeadFiles } from '#lib/domain/messages/attached/lead-file'
import { isHtml } from '#lib/domain/messages/html'
import { liquidFailure, liquidFields, type MergeField } from '#lib/domain/messages/liquid'
import { allOptions, liquidEnd, parseSpintax, withoutMarks } from '#lib/domain/messages/spintax'

/** A null subject marks a follow-up: it replies in the thread it belongs to. */
export type MessageTemplate = {
  subject: string | null
  body: string
  /** The attached files; absent: none. */
  attachment_ids?: string[] | undefined
  /** The attached files that differ for each lead; absent: none. */
  lead_files?: LeadFiles | undefined
}

/** Line and column count from 1. */
export type TemplateProblem = { field: 'subject' | 'body'; line: number; column: number; message: string }

export type ParsedTemplate = { ok: true } | { ok: false; problems: TemplateProblem[] }

/**
 * Problems of one kind that are reported at once. Each requires counting lines from the beginning, and a person who fixes these
 * sees the rest next time.
 */
const MAX_PROBLEMS = 20

/** Checks what can be known without a lead: Liquid, spintax, and that no lead's data could break out of the HTML. */
export function parseTemplate({ subject, body }: MessageTemplate): ParsedTemplate {
  const problems = [...sourceProblems('subject', subject ?? ''), ...sourceProblems('body', body)]
  if (isHtml(body)) problems.push(...htmlProblems(body))
  return problems.length === 0 ? { ok: true } : { ok: false, problems }
}

function sourceProblems(field: TemplateProblem['field'], source: string): TemplateProblem[] {
  const { nodes, unclosed } = parseSpintax(source)
  const broken = unclosed
    .slice(0, MAX_PROBLEMS)
    .map((at) => problemAt(field, source, at, 'This choice is missing its closing brace'))
  const flat = withoutMarks(nodes)
  const failure = liquidFailure(flat)
  if (failure) return [...broken, { field, ...failure }]
  for (const option of allOptions(nodes)) {
    if (broken.length >= MAX_PROBLEMS) break
    const text = withoutMarks(option.nodes)
    if (text.includes('{%') && liquidFailure(text))
      broken.push(problemAt(field, source, option.at, 'Each choice must contain complete Liquid tags'))
  }
  return broken
}

function problemAt(
  field: TemplateProblem['field'],
  source: string,
  at: number,
  message: string,
): TemplateProblem {
  const before = source.slice(0, at).split('\n')
  return { field, line: before.length, column: (before.at(-1)?.length ?? 0) + 1, message }
}

/**
 * Escaping protects text and quoted attributes, but not the inside of a tag without quotes, a style or a script, so nothing may
 * be printed there.
 */
function htmlProblems(source: string): TemplateProblem[] {
  const problems: TemplateProblem[] = []
  const report = (at: number, message: string) => {
    if (problems.length < MAX_PROBLEMS) problems.push(problemAt('body', source, at, message))
  }
  let place: 'text' | 'tag' | 'style' | '"' | "'" = 'text'
  for (let at = 0; at < source.length; at++) {
    const char = source[at]
    const end = liquidEnd(source, at)
    if (end > at) {
      const isPrinted = source[at + 1] === '{'
      if (isPrinted && place === 'tag') report(at, 'Put quotes around the attribute with this field')
      if (isPrinted && place === 'style') report(at, 'Fields cannot be used in a style')
      at = end - 1
    } else if (place === 'style') {
      if (/^<\/style/i.test(source.slice(at, at + 7))) place = 'tag'
    } else if (place === 'text') {
      const tag = /^<\/?([a-z][a-z0-9]*)/i.exec(source.slice(at, at + 20))?.[1]?.toLowerCase()
      if (tag) place = 'tag'
      if (tag === 'script' && source[at + 1] !== '/') report(at, 'An email cannot contain a script')
    } else if (place === 'tag') {
      if (char === '"' || char === "'") place = char
      else if (char === '>')
        place = /<style\b[^<]*$/i.test(source.slice(Math.max(0, at - 200), at)) ? 'style' : 'text'
    } else if (char === place) place = 'tag'
  }
  return problems
}

/**
 * The fields of the lead (`first_name`) and the sender (`sender.title`) that a template uses, over all spintax options. Empty
 * for a template that cannot be parsed; `parseTemplate` says why.
 */
export function mergeFields({ subject, body }: MessageTemplate): MergeField[] {
  const sources = [subject ?? '', body].map((source) => withoutMarks(parseSpintax(source).nodes))
  const fields = liquidFields(sources) ?? []
  return fields.filter(({ name }) => name !== 'unsubscribe_url')
}
