import { RecordStatus } from '#components/domains/domain-status'
import { CopyButton } from '#components/ui/copy-button'
import { Badge } from '#components/ui/feedback/badge'
import { Panel } from '#components/ui/layout/panel'
import type { SetupRecord } from '#lib/contracts/domains/domains'

const WHY: Record<SetupRecord['purpose'], string> = {
  spf: 'SPF: which servers may send',
  dkim: 'DKIM: the key that signs your emails',
  dmarc: 'DMARC: what to do with email that fails',
  mx: 'MX: where replies go',
  return_path: 'Bounce address',
  tracking: 'Tracked links',
  reports: 'Report links for clients',
}

/** One entry per DNS record, in the terms of DNS editors: type, name and value, each with a copy button. */
export function RecordList({ records }: { records: SetupRecord[] }) {
  return (
    <Panel title="Records to publish" description="Add them where the domain’s DNS is managed." flush>
      <ul>
        {records
          .filter(({ value }) => value !== '')
          .map((record) => (
            <li
              key={`${record.type} ${record.host} ${record.purpose}`}
              className="grid gap-3 border-b border-border px-4 py-4 text-sm last:border-0"
            >
              <Entry record={record} />
            </li>
          ))}
      </ul>
      <Unused records={records.filter(({ value }) => value === '')} />
    </Panel>
  )
}

/** Records this instance does not need, with the reason. */
function Unused({ records }: { records: SetupRecord[] }) {
  const notes = new Map(records.map(({ purpose, note }) => [purpose, note]))
  if (notes.size === 0) return null
  return (
    <details className="border-t border-border px-4 py-3 text-sm">
      <summary className="w-fit cursor-pointer rounded-xs text-muted underline decoration-border-strong underline-offset-2 hover:text-text">
        {notes.size === 1 ? '1 more record is' : `${notes.size} more records are`} not used here
      </summary>
      <dl className="mt-2 grid gap-2">
        {[...notes].map(([purpose, note]) => (
          <div key={purpose}>
            <dt className="font-medium">{WHY[purpose]}</dt>
            <dd className="max-w-prose text-muted">{note}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}

function Entry({ record }: { record: SetupRecord }) {
  const { purpose, type, host, value, strings, zone_line, found, status, note, failure } = record
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 className="font-medium">{WHY[purpose]}</h3>
        <span className="flex flex-wrap items-center gap-2">
          {!record.required && value !== '' && status !== 'missing' && <Badge>Optional</Badge>}
          <RecordStatus {...record} />
        </span>
      </div>
      {value !== '' && (
        <dl className="grid gap-x-4 gap-y-2 sm:grid-cols-[4rem_minmax(0,1fr)]">
          <Line term="Type" text={type} />
          <Line term="Name" text={host} copy={`name of the ${type} record ${host}`} />
          <Line term="Value" text={value} copy={`value of the ${type} record ${host}`} />
          {status === 'mismatch' && <Found texts={found} />}
        </dl>
      )}
      {note && <p className="max-w-prose text-muted">{note}</p>}
      {failure && (
        <p className="max-w-prose text-warning">
          DNS did not answer the last time ({failure}). These are the earlier results.
        </p>
      )}
      {strings.length > 1 && (
        <details>
          <summary className="w-fit cursor-pointer rounded-xs text-muted underline decoration-border-strong underline-offset-2 hover:text-text">
            As {strings.length} strings, for editors that take at most 255 characters
          </summary>
          <dl className="mt-2 grid gap-x-4 gap-y-2 sm:grid-cols-[4rem_minmax(0,1fr)]">
            {strings.map((text, index) => (
              <Line
                key={text}
                term={`String ${index + 1}`}
                text={text}
                copy={`string ${index + 1} of ${host}`}
              />
            ))}
            <Line term="Zone file" text={zone_line} copy={`zone file line of ${host}`} />
          </dl>
        </details>
      )}
    </>
  )
}

function Line({ term, text, copy }: { term: string; text: string; copy?: string }) {
  return (
    <>
      <dt className="text-muted sm:pt-1">{term}</dt>
      <dd className="flex min-w-0 items-start gap-1">
        <code className="min-w-0 rounded-xs bg-sunken px-1.5 py-1 font-mono text-xs leading-5 wrap-anywhere">
          {text}
        </code>
        {copy && <CopyButton text={text} label={`Copy ${copy}`} />}
      </dd>
    </>
  )
}

function Found({ texts }: { texts: string[] }) {
  return (
    <>
      <dt className="text-danger sm:pt-1">Found</dt>
      <dd className="grid gap-1">
        {texts.map((text) => (
          <code
            key={text}
            className="w-fit max-w-full rounded-xs border border-danger-border bg-danger-subtle px-1.5 py-1 font-mono text-xs leading-5 wrap-anywhere"
          >
            {text}
          </code>
        ))}
      </dd>
    </>
  )
}
