'use client'

import { useEffect, useState, useTransition } from 'react'
import { FileDrop } from '#components/ui/controls/file-drop'
import { Callout } from '#components/ui/feedback/callout'
import { ProgressLine } from '#components/ui/feedback/progress'
import { Panel } from '#components/ui/layout/panel'
import type { Output } from '#lib/contracts/contract'
import type { CreateWorkspaceImport, WorkspaceImport } from '#lib/contracts/workspaces/workspaces'
import { ARCHIVE_BYTES } from '#lib/domain/workspaces/archive-size'
import { putFile } from '../datasets/put-file.ts'

type ImportResult = NonNullable<WorkspaceImport['result']>
type Refusal = { ok: false; message: string }
export type AddressAnswer = { ok: true; address: Output<typeof CreateWorkspaceImport> } | Refusal
export type ImportAnswer = { ok: true; asked: WorkspaceImport } | Refusal

type Actions = {
  /** Creates the address to which the file is uploaded. */
  address: (file: { filename: string; size_bytes: number }) => Promise<AddressAnswer>
  start: (import_id: string) => Promise<ImportAnswer>
  read: (import_id: string) => Promise<ImportAnswer>
}
type Props = Actions & {
  /** The latest import, if the page is reopened. */
  latest: WorkspaceImport | null
}

const ASK_AGAIN_MS = 1_000
const UNSENT: Refusal = {
  ok: false,
  message: 'The file could not be sent. Check your connection and try again.',
}

function refusal({ size }: File): string | null {
  if (size === 0) return 'The file is empty.'
  if (size > ARCHIVE_BYTES)
    return 'The file is larger than 2 GB. The operator can import it from the command line.'
  return null
}

const isUnderWay = (asked: WorkspaceImport | null) =>
  asked?.status === 'queued' || asked?.status === 'running'

/** Uploads the file, starts its import and polls until it is done. */
function useImport({ address, start, read, latest }: Props) {
  const [asked, setAsked] = useState(latest)
  const [problem, setProblem] = useState<string | null>(null)
  /** Percentage of the file uploaded. */
  const [sent, setSent] = useState(0)
  const [isSending, startSending] = useTransition()

  useEffect(() => {
    if (!asked || !isUnderWay(asked)) return
    const timer = setTimeout(async () => {
      const answer = await read(asked.import_id).catch(() => null)
      // A lost connection changes nothing: polling continues.
      if (answer?.ok === false) setProblem(answer.message)
      setAsked(answer?.ok ? answer.asked : answer ? null : { ...asked })
    }, ASK_AGAIN_MS)
    return () => clearTimeout(timer)
  }, [asked, read])

  async function sendAndStart(file: File): Promise<ImportAnswer> {
    const made = await address({ filename: file.name, size_bytes: file.size })
    if (!made.ok) return made
    if (!(await putFile(file, made.address, setSent))) return UNSENT
    return start(made.address.import_id)
  }
  function choose(file: File | null) {
    if (!file) return
    const refused = refusal(file)
    setProblem(refused)
    setAsked(null)
    if (refused) return
    setSent(0)
    startSending(async () => {
      const answer = await sendAndStart(file).catch(() => UNSENT)
      if (answer.ok) setAsked(answer.asked)
      else setProblem(answer.message)
    })
  }
  return { asked, problem, sent, isSending, choose }
}

/** Imports a workspace of another instance from its export file. */
export function ImportWorkspace(props: Props) {
  const { asked, problem, sent, isSending, choose } = useImport(props)
  const isReading = isUnderWay(asked)
  return (
    <Panel
      title="Import a workspace"
      description="Moves a workspace here from another instance. Pause its campaigns there first, then export it in Settings → Account."
    >
      <div className="grid max-w-xl gap-4">
        {!isSending && !isReading && (
          <FileDrop
            name="archive"
            label="Drop an export, or choose one"
            hint="opener-….ndjson, up to 2 GB"
            accept=".ndjson,.jsonl"
            onFile={choose}
          />
        )}
        {isSending && !isReading && <Underway label="Sending the file" value={sent} />}
        {asked && isReading && <Reading asked={asked} />}
        {problem && <Failure message={problem} />}
        {asked?.status === 'failed' && <Failure message={asked.error ?? ''} />}
        {asked?.result && <Done result={asked.result} />}
      </div>
    </Panel>
  )
}

function Failure({ message }: { message: string }) {
  return (
    <Callout tone="danger" role="alert" title="The workspace was not imported">
      {message}
    </Callout>
  )
}

/** The progress of reading the file; after that, the rows are written in one transaction. */
function Reading({ asked: { status, read_bytes, size_bytes } }: { asked: WorkspaceImport }) {
  if (status === 'queued') return <Underway label="Queued" />
  if (read_bytes >= size_bytes) return <Underway label="Writing the rows" />
  return <Underway label="Reading the file" value={(100 * read_bytes) / size_bytes} />
}

/** Announced only when the stage changes. */
function Underway({ label, value }: { label: string; value?: number }) {
  return (
    <div className="grid gap-1.5">
      <p role="status" className="text-sm text-muted">
        {label}
      </p>
      <ProgressLine label={label} {...(value === undefined ? {} : { value })} />
    </div>
  )
}

const several = (count: number, one: string, many = `${one}s`) =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`

/** Imported items that are inactive until somebody checks them: their names, what to do, and where. */
const TO_FINISH = [
  ['mailboxes', 'mailbox', 'mailboxes', 'enter the password', 'mailboxes'],
  ['domains', 'sending domain', 'sending domains', 'publish the new records', 'domains'],
  ['accounts', 'social account', 'social accounts', 'sign in again', 'accounts'],
  ['webhooks', 'webhook', 'webhooks', 'rotate the secret, then enable', 'webhooks'],
  ['forms', 'form', 'forms', 'add the new address to your site', 'datasets'],
  ['posts', 'post', 'posts', 'schedule them again', 'posts'],
] as const satisfies [keyof ImportResult, one: string, many: string, what: string, path: string][]

function ToFinish(result: ImportResult) {
  const open = TO_FINISH.filter(([counted]) => result[counted] > 0)
  if (open.length === 0) return <a href={`/w/${result.slug}/home`}>Open the workspace</a>
  return (
    <>
      <p className="mt-2">Next steps:</p>
      <ul className="list-disc pl-5">
        {open.map(([counted, one, many, what, path]) => (
          <li key={counted}>
            <a href={`/w/${result.slug}/${path}`}>{several(result[counted], one, many)}</a>: {what}
          </li>
        ))}
      </ul>
    </>
  )
}

/** Items that must be set up again by hand, by table: their names, and where. */
const SET_UP_AGAIN: [table: string, one: string, many: string, path: string][] = [
  ['sign_in_domains', 'sign-in domain', 'sign-in domains', 'settings/members'],
  ['api_keys', 'API key', 'API keys', 'api-keys'],
  ['report_links', 'report link', 'report links', 'settings/reports'],
]

/** Data that was not imported but that users may look for. */
function LeftOut({ left_out, slug }: Pick<ImportResult, 'left_out' | 'slug'>) {
  const left = SET_UP_AGAIN.filter(([table]) => left_out[table])
  if (left.length === 0) return null
  return (
    <>
      <p className="mt-2">Not imported. Set them up again:</p>
      <ul className="list-disc pl-5">
        {left.map(([table, one, many, path]) => (
          <li key={table}>
            <a href={`/w/${slug}/${path}`}>{several(left_out[table] ?? 0, one, many)}</a>
          </li>
        ))}
      </ul>
    </>
  )
}

function Done({ result }: { result: ImportResult }) {
  const { name, leads, campaigns, paused_campaigns: paused } = result
  return (
    <Callout tone="success" role="status" title={`${name} is imported`}>
      <p>
        {several(leads, 'lead')}, {several(campaigns, 'campaign')}
        {paused > 0 && `, ${paused.toLocaleString('en')} of them paused`}.
      </p>
      {/* Links load a full page, so that nothing of one workspace stays visible in another. */}
      <ToFinish {...result} />
      <LeftOut {...result} />
    </Callout>
  )
}
