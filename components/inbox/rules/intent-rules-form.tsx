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

/** What replies do, one row for each intent. Field names are `rules.` with the number of the row. */
export function IntentRulesForm({ rules: { rules, campaign_id, version }, choices, save }: Props) {
  const isCampaign = campaign_id !== null
  return (
    <Panel
      title="What replies do"
      description={
        isCampaign
          ? 'By what they say. Where nothing is chosen, the rules of the workspace count.'
          : 'By what the reply says, in every campaign without its own rules.'
      }
    >
      <ActionForm basis={version} action={save} className="grid gap-4">
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
          A request to stop, an unsubscribe, a complaint and a bounce always end it, and an out-of-office
          reply always waits.
        </p>
        <div>
          <SubmitButton variant="secondary">Save rules</SubmitButton>
        </div>
      </ActionForm>
    </Panel>
  )
}
