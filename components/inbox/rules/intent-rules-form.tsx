import { ActionForm, type FormAction } from '#components/ui/controls/action-form'
import { SubmitButton } from '#components/ui/controls/submit-button'
import { Panel } from '#components/ui/layout/panel'
import type { IntentRules } from '#lib/contracts/inbox/intent-rules'
import { IntentRuleFields, type RuleChoices } from './intent-rule-fields.tsx'

type Props = {
  rules: IntentRules
  choices: RuleChoices
  save: FormAction
}

/** The effects of replies, one row per intent. Field names start with `rules.` and the row's number. */
export function IntentRulesForm({ rules: { rules, campaign_id, version }, choices, save }: Props) {
  const isCampaign = campaign_id !== null
  return (
    <Panel
      title="Reply rules"
      description={
        isCampaign
          ? 'Choose what each kind of reply does. Anything you leave unset follows the workspace rules.'
          : 'Choose what each kind of reply does, in every campaign without its own rules.'
      }
    >
      <ActionForm version={version} action={save} className="grid gap-4">
        <input type="hidden" name="version" value={version} />
        <div className="grid divide-y divide-border">
          {rules.map((rule, index) => (
            <IntentRuleFields
              key={rule.intent}
              name={`rules.${index}`}
              rule={rule}
              isCampaign={isCampaign}
              choices={choices}
            />
          ))}
        </div>
        <p className="text-sm text-muted">
          A request to stop, an unsubscribe, a complaint or a bounce always ends the sequence. After an
          out-of-office reply the lead always waits.
        </p>
        <div>
          <SubmitButton variant="secondary">Save rules</SubmitButton>
        </div>
      </ActionForm>
    </Panel>
  )
}
