import type { ExampleRequest } from '#lib/contracts/reference'

export const LANGUAGES = ['curl', 'TypeScript', 'Python'] as const
export type Language = (typeof LANGUAGES)[number]

/** The environment variable in which the examples expect the key. */
const KEY = 'OPENER_KEY'

/** The request in a language, ready to run with the key in `OPENER_KEY`; without a key if none is needed. */
export function exampleCode(
  language: Language,
  origin: string,
  request: ExampleRequest,
  isOpen: boolean,
): string {
  return { curl, TypeScript: typescript, Python: python }[language](
    exampleUrl(origin, request),
    request,
    isOpen,
  )
}

/** The URL with its parameters filled in; empty query values are omitted. */
export function exampleUrl(origin: string, { path, params, query }: ExampleRequest): string {
  const filled = path.replace(/\{(\w+)\}/g, (braces, name: string) =>
    params[name] ? encodeURIComponent(params[name]) : braces,
  )
  const given = Object.entries(query).filter(([, value]) => value !== '')
  return `${origin}${filled}${given.length > 0 ? `?${new URLSearchParams(given)}` : ''}`
}

/** The filled-in fields of a form. */
export const givenParts = (form: NonNullable<ExampleRequest['form']>) =>
  form.filter(({ value, is_file, is_required }) => (is_file ? is_required : value !== ''))

/** A single-quoted shell word; only the quote itself must be escaped. */
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

function curl(address: string, { method, body, form }: ExampleRequest, isOpen: boolean): string {
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quoted(address)}`,
    ...(isOpen ? [] : [`-H "Authorization: Bearer $${KEY}"`]),
    ...(body === null ? [] : [`-H 'Content-Type: application/json'`, `-d ${quoted(body)}`]),
    ...(form
      ? givenParts(form).map(
          ({ name, value, is_file }) => `-F ${quoted(`${name}=${is_file ? '@leads.csv' : value}`)}`,
        )
      : []),
  ]
  return lines.join(' \\\n  ')
}

function typescript(address: string, { method, body, form }: ExampleRequest, isOpen: boolean): string {
  const files = form ? givenParts(form) : []
  const before = form
    ? [
        ...(files.some(({ is_file }) => is_file) ? [`import { openAsBlob } from 'node:fs'`, ''] : []),
        'const form = new FormData()',
        ...files.map(({ name, value, is_file }) =>
          is_file
            ? `form.set('${name}', await openAsBlob('leads.csv'), 'leads.csv')`
            : `form.set('${name}', ${JSON.stringify(value)})`,
        ),
        '',
      ]
    : []
  const headers = [
    ...(isOpen ? [] : [`    Authorization: \`Bearer \${process.env.${KEY}}\`,`]),
    ...(body === null ? [] : [`    'Content-Type': 'application/json',`]),
  ]
  return [
    ...before,
    `const response = await fetch('${address}', {`,
    `  method: '${method}',`,
    ...(headers.length > 0 ? ['  headers: {', ...headers, '  },'] : []),
    ...(body === null ? [] : [`  body: JSON.stringify(${body.replaceAll('\n', '\n  ')}),`]),
    ...(form ? ['  body: form,'] : []),
    '})',
    'console.log(response.status, await response.text())',
  ].join('\n')
}

function python(address: string, { method, body, form }: ExampleRequest, isOpen: boolean): string {
  const parts = form ? givenParts(form) : []
  const files = parts.filter(({ is_file }) => is_file)
  const fields = parts.filter(({ is_file }) => !is_file)
  const pairs = (all: [string, string][]) =>
    `{${all.map(([key, value]) => `${JSON.stringify(key)}: ${value}`).join(', ')}}`
  return [
    ...(isOpen ? ['import requests'] : ['import os', 'import requests']),
    '',
    `response = requests.${method.toLowerCase()}(`,
    `    ${JSON.stringify(address)},`,
    ...(isOpen ? [] : [`    headers={"Authorization": f"Bearer {os.environ['${KEY}']}"},`]),
    ...(body === null ? [] : [`    json=${toPython(JSON.parse(body), '    ')},`]),
    ...(fields.length > 0
      ? [`    data=${pairs(fields.map(({ name, value }) => [name, JSON.stringify(value)]))},`]
      : []),
    ...(files.length > 0
      ? [`    files=${pairs(files.map(({ name }) => [name, 'open("leads.csv", "rb")']))},`]
      : []),
    ')',
    'print(response.status_code, response.text)',
  ].join('\n')
}

/** A JSON value as a Python literal. */
function toPython(value: unknown, indent: string): string {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value !== 'object') return JSON.stringify(value)
  const deeper = `${indent}    `
  const inner = Array.isArray(value)
    ? value.map((item) => toPython(item, deeper))
    : Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${toPython(item, deeper)}`)
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  if (inner.length === 0) return `${open}${close}`
  return `${open}\n${inner.map((line) => `${deeper}${line},`).join('\n')}\n${indent}${close}`
}
