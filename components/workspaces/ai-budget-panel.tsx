import { ActionForm, type FormAction } from '#components/ui/controls/action-form'
import { Field } from '#components/ui/controls/field'
import { Input } from '#components/ui/controls/input'
import { SubmitButton } from '#components/ui/controls/submit-button'
import { ProgressLine } from '#components/ui/feedback/progress'
import { Panel } from '#components/ui/layout/panel'
import { AskAdmin } from '#components/workspaces/ask-admin'
import type { AccountSettings } from '#lib/contracts/workspaces/account-settings'
import type { Role } from '#lib/domain/workspaces/roles'

const figure = (tokens: number) => tokens.toLocaleString('en')

/** This month's use of language models, and its limit. */
export function AiBudgetPanel({
  settings,
  isOffline,
  role,
  save,
}: {
  settings: AccountSettings
  isOffline: boolean
  role: Role
  save: FormAction
}) {
  const { ai_tokens_per_month: own, ai_tokens_most: most, ai_tokens_used: used, version } = settings
  const limit = own === null || (most !== null && most < own) ? most : own
  return (
    <Panel
      title="AI budget"
      description="Tokens the language model may use per month, in and out, for personalization, replies and the assistant."
    >
      <div className="grid max-w-xl gap-4">
        <div className="grid gap-1 text-sm">
          <p>
            {figure(used)} {limit === null ? 'tokens' : `of ${figure(limit)} tokens`} used this month
          </p>
          {limit !== null && (
            <ProgressLine label="AI budget" value={limit === 0 ? 100 : Math.min(100, (100 * used) / limit)} />
          )}
          {limit !== null && used >= limit && (
            <p className="text-warning">
              The budget is spent. Personalization, drafts and the assistant resume when you raise it, or next
              month.
            </p>
          )}
          {isOffline && (
            <p className="text-muted">No language model is set up. The offline writer uses no tokens.</p>
          )}
        </div>
        <ActionForm version={version} action={save} className="grid gap-4">
          <input type="hidden" name="version" value={version} />
          <Field
            label="Tokens per month"
            name="ai_tokens_per_month"
            hint={
              most === null
                ? 'Empty: any number.'
                : `This instance allows ${figure(most)}. Leave empty to use all of them.`
            }
          >
            <Input type="number" min={0} max={2_000_000_000} defaultValue={own ?? ''} />
          </Field>
          <AskAdmin role={role} needs="admin">
            <div>
              <SubmitButton variant="secondary">Save</SubmitButton>
            </div>
          </AskAdmin>
        </ActionForm>
      </div>
    </Panel>
  )
}
