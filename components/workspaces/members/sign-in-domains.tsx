import { ActionButton } from '#components/ui/controls/action-button'
import { ActionForm, type FormAction, type FormResult } from '#components/ui/controls/action-form'
import { Field } from '#components/ui/controls/field'
import { Input } from '#components/ui/controls/input'
import { Select } from '#components/ui/controls/select'
import { SubmitButton } from '#components/ui/controls/submit-button'
import { CopyButton } from '#components/ui/copy-button'
import { Badge } from '#components/ui/feedback/badge'
import { Panel } from '#components/ui/layout/panel'
import type { SignInDomain } from '#lib/contracts/workspaces/sign-in-domains'
import { capital } from '#lib/domain/text/capital'
import { JOINING_ROLES } from '#lib/domain/workspaces/provider-roles'
import { roleLabel } from './role-options.tsx'

type Props = {
  domains: SignInDomain[]
  /** The providers this instance is configured for. */
  providers: string[]
  add: FormAction
  change: (id: string, version: number, last: FormResult | null, data: FormData) => Promise<FormResult>
  verify: (id: string) => Promise<FormResult>
  remove: (id: string) => Promise<FormResult>
}

const OPTIONS = JOINING_ROLES.map((role) => ({ value: role, label: roleLabel(role) }))

/** Domains whose people join the workspace when they sign in with an identity provider. */
export function SignInDomains({ domains, providers, add, ...actions }: Props) {
  const by = new Intl.ListFormat('en', { type: 'disjunction' }).format(providers)
  return (
    <Panel
      title="Sign-in domains"
      description={
        providers.length > 0
          ? `Anyone who signs in with ${by} and a verified address at one of these domains joins this workspace.`
          : 'Joining by email domain needs an identity provider on this instance. Ask your operator.'
      }
    >
      <div className="grid max-w-2xl gap-6">
        {domains.length > 0 && (
          <ul className="grid gap-5">
            {domains.map((domain) => (
              <li key={domain.sign_in_domain_id} className="grid gap-3 border-b border-border pb-5 text-sm">
                <OneDomain domain={domain} {...actions} />
              </li>
            ))}
          </ul>
        )}
        <ActionForm action={add} className="grid gap-4">
          <Field label="Domain" name="domain" required>
            <Input maxLength={255} autoComplete="off" placeholder="example.com" />
          </Field>
          <Field label="Joins as" name="role" required>
            <Select options={OPTIONS} defaultValue="member" />
          </Field>
          <div>
            <SubmitButton variant="secondary">Add domain</SubmitButton>
          </div>
        </ActionForm>
      </div>
    </Panel>
  )
}

function OneDomain({
  domain: { sign_in_domain_id: id, domain, role, record, verified_at, version },
  change,
  verify,
  remove,
}: { domain: SignInDomain } & Pick<Props, 'change' | 'verify' | 'remove'>) {
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 className="flex flex-wrap items-center gap-2 font-medium wrap-anywhere">
          {domain}
          {verified_at ? <Badge tone="success">Verified</Badge> : <Badge tone="warning">Not verified</Badge>}
        </h3>
        <span className="flex flex-wrap gap-2">
          <ActionButton size="sm" act={verify.bind(null, id)}>
            {verified_at ? 'Check again' : 'Verify'}
          </ActionButton>
          <ActionButton
            size="sm"
            act={remove.bind(null, id)}
            confirm={{
              title: `Remove ${domain}?`,
              description: 'Nobody else can join with it. Existing members stay.',
              label: 'Remove',
              danger: true,
            }}
          >
            Remove
          </ActionButton>
        </span>
      </div>
      <ActionForm
        version={version}
        action={change.bind(null, id, version)}
        className="flex flex-wrap items-end gap-2"
      >
        <Field label="Joins as" name="role" className="w-40">
          <Select options={OPTIONS} defaultValue={role} />
        </Field>
        <SubmitButton variant="secondary">Save</SubmitButton>
      </ActionForm>
      <ProofRecord record={record} isOpen={verified_at === null} />
    </>
  )
}

function ProofRecord({ record, isOpen }: { record: SignInDomain['record']; isOpen: boolean }) {
  return (
    <details open={isOpen}>
      <summary className="w-fit cursor-pointer rounded-xs text-muted underline decoration-border-strong underline-offset-2 hover:text-text">
        Record to publish in DNS
      </summary>
      <dl className="mt-2 grid gap-x-4 gap-y-2 sm:grid-cols-[4rem_minmax(0,1fr)]">
        {(['type', 'name', 'value'] as const).map((part) => (
          <div key={part} className="contents">
            <dt className="text-muted sm:pt-1">{capital(part)}</dt>
            <dd className="flex min-w-0 items-start gap-1">
              <code className="min-w-0 rounded-xs bg-sunken px-1.5 py-1 font-mono text-xs leading-5 wrap-anywhere">
                {record[part]}
              </code>
              {part !== 'type' && (
                <CopyButton text={record[part]} label={`Copy the ${part} of the record ${record.name}`} />
              )}
            </dd>
          </div>
        ))}
      </dl>
    </details>
  )
}
