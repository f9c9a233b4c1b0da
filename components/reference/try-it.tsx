'use client'

import { useId, useState, useTransition } from 'react'
import { CodeBlock } from '#components/ui/code-block'
import { Button } from '#components/ui/controls/button'
import { Field } from '#components/ui/controls/field'
import { Input } from '#components/ui/controls/input'
import { SegmentedControl } from '#components/ui/controls/segmented-control'
import { Textarea } from '#components/ui/controls/textarea'
import { Callout } from '#components/ui/feedback/callout'
import { Panel } from '#components/ui/layout/panel'
import type { ExampleRequest } from '#lib/contracts/reference'
import { exampleCode, exampleUrl, givenParts, LANGUAGES, type Language } from './code.ts'

type Props = {
  example: ExampleRequest
  /** Names of all query parameters, including those without a value in the example. */
  queryNames: string[]
  origin: string
  /** The operation needs no credential. */
  isOpen: boolean
  isDestructive: boolean
}

type Answered = { status: number; took_ms: number; text: string }

/** The request in three languages, and a form to fill it in and send it with one's own key. */
export function TryIt({ example, queryNames, origin, isOpen, isDestructive }: Props) {
  const [request, setRequest] = useState(example)
  const [key, setKey] = useState('')
  const [files, setFiles] = useState<Record<string, File>>({})
  const [answer, setAnswer] = useState<Answered | 'unreachable' | null>(null)
  const [isPending, startTransition] = useTransition()
  const send = () => startTransition(async () => setAnswer(await answerTo(request, files, isOpen ? '' : key)))

  return (
    <>
      <Example request={request} origin={origin} isOpen={isOpen} />
      <Panel title="Try it">
        <form
          className="grid gap-3"
          onSubmit={(event) => {
            event.preventDefault()
            send()
          }}
        >
          {!isOpen && (
            <Field
              label="API key or token"
              required
              hint="Kept on this page only and forgotten when you leave."
            >
              <Input
                type="password"
                autoComplete="off"
                value={key}
                onChange={(event) => setKey(event.target.value)}
              />
            </Field>
          )}
          <RequestFields
            request={request}
            queryNames={queryNames}
            onChange={setRequest}
            onFile={(field, file) => setFiles({ ...files, [field]: file })}
          />
          {isDestructive && (
            <Callout tone="warning">This really deletes or sends, in the key’s account.</Callout>
          )}
          <div>
            <Button type="submit" variant="primary" aria-busy={isPending}>
              {isPending ? 'Sending …' : 'Send'}
            </Button>
          </div>
        </form>
        <AnswerShown answer={answer} />
      </Panel>
    </>
  )
}

const MOST_SHOWN = 20_000

async function answerTo(
  request: ExampleRequest,
  files: Record<string, File>,
  key: string,
): Promise<Answered | 'unreachable'> {
  const begun = performance.now()
  try {
    const response = await fetch(exampleUrl('', request), {
      method: request.method,
      headers: {
        ...(key ? { authorization: `Bearer ${key}` } : {}),
        ...(request.body === null ? {} : { 'content-type': 'application/json' }),
      },
      body: request.form ? buildFormData(request.form, files) : request.body,
      // Send no cookies: the page's session is not an API credential, and programs have none.
      credentials: 'omit',
    })
    const text = await response.text()
    return { status: response.status, took_ms: Math.round(performance.now() - begun), text: shown(text) }
  } catch {
    return 'unreachable'
  }
}

function buildFormData(form: NonNullable<ExampleRequest['form']>, files: Record<string, File>): FormData {
  const data = new FormData()
  for (const { name, value, is_file } of givenParts(form)) if (!is_file) data.set(name, value)
  for (const [name, file] of Object.entries(files)) data.set(name, file)
  return data
}

/** Formats JSON; other answers, such as files, are shown unchanged. */
function shown(text: string): string {
  let laidOut = text
  try {
    laidOut = JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    // Not every answer is JSON.
  }
  return laidOut.length > MOST_SHOWN ? `${laidOut.slice(0, MOST_SHOWN)}\n…` : laidOut
}

function Example({
  request,
  origin,
  isOpen,
}: Pick<Props, 'origin' | 'isOpen'> & { request: ExampleRequest }) {
  const [language, setLanguage] = useState<Language>('curl')
  const name = useId()
  return (
    <Panel
      title="Request"
      action={
        <SegmentedControl
          legend="Language of the example"
          name={name}
          options={LANGUAGES.map((value) => ({ value, label: value }))}
          value={language}
          onChange={(value) => setLanguage(LANGUAGES.find((one) => one === value) ?? 'curl')}
        />
      }
    >
      <CodeBlock label={`Request in ${language}`} code={exampleCode(language, origin, request, isOpen)} />
      {!isOpen && (
        <p className="mt-2 text-sm text-muted">
          Runs as it stands with an API key in the environment variable <code>OPENER_KEY</code>.
        </p>
      )}
    </Panel>
  )
}

type FieldsProps = Pick<Props, 'queryNames'> & {
  request: ExampleRequest
  onChange: (request: ExampleRequest) => void
  onFile: (field: string, file: File) => void
}

function RequestFields({ request, queryNames, onChange, onFile }: FieldsProps) {
  const fill = (part: 'params' | 'query', field: string, value: string) =>
    onChange({ ...request, [part]: { ...request[part], [field]: value } })
  const fillForm = (field: string, value: string) =>
    onChange({
      ...request,
      form: request.form?.map((one) => (one.name === field ? { ...one, value } : one)) ?? null,
    })
  return (
    <>
      {Object.entries(request.params).map(([field, value]) => (
        <Field key={field} label={<code>{field}</code>} required>
          <Input value={value} onChange={(event) => fill('params', field, event.target.value)} />
        </Field>
      ))}
      {queryNames.map((field) => (
        <Field key={field} label={<code>{field}</code>}>
          <Input
            value={request.query[field] ?? ''}
            onChange={(event) => fill('query', field, event.target.value)}
          />
        </Field>
      ))}
      {request.form?.map(({ name: field, value, is_file, is_required }) => (
        <Field key={field} label={<code>{field}</code>} required={is_required}>
          {is_file ? (
            <Input
              type="file"
              onChange={({ target }) => {
                const [file] = target.files ?? []
                if (file) onFile(field, file)
              }}
            />
          ) : (
            <Input value={value} onChange={(event) => fillForm(field, event.target.value)} />
          )}
        </Field>
      ))}
      {request.body !== null && (
        <Field label="Body, as JSON">
          <Textarea
            rows={6}
            spellCheck={false}
            className="font-mono text-xs"
            value={request.body}
            onChange={(event) => onChange({ ...request, body: event.target.value })}
          />
        </Field>
      )}
    </>
  )
}

function AnswerShown({ answer }: { answer: Answered | 'unreachable' | null }) {
  return (
    <div role="status" className="mt-3">
      {answer === 'unreachable' && (
        <Callout tone="danger">The server could not be reached. Try again.</Callout>
      )}
      {answer && answer !== 'unreachable' && (
        <>
          <p className="mb-1 text-sm">
            <span className={answer.status < 400 ? 'text-success' : 'text-danger'}>{answer.status}</span>
            <span className="text-muted"> in {answer.took_ms} ms</span>
          </p>
          {answer.text && <CodeBlock label="Answer" code={answer.text} />}
        </>
      )}
    </div>
  )
}
