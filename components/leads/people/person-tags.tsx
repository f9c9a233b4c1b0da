import { X } from 'lucide-react'
import { ActionButton } from '#components/ui/controls/action-button'
import { ActionForm, type FormAction, type FormResult } from '#components/ui/controls/action-form'
import { Field } from '#components/ui/controls/field'
import { Input } from '#components/ui/controls/input'
import { SubmitButton } from '#components/ui/controls/submit-button'
import { Panel } from '#components/ui/layout/panel'

type Props = { tags: string[]; keep: (tags: string[]) => Promise<FormResult>; add: FormAction }

/** Removes a tag by clicking it; a new one is typed. */
export function PersonTags({ tags, keep, add }: Props) {
  return (
    <Panel title="Tags">
      <div className="grid gap-3">
        {tags.length > 0 && (
          <ul className="flex flex-wrap gap-2">
            {tags.map((tag) => (
              <li key={tag}>
                <ActionButton
                  size="sm"
                  aria-label={`Remove the tag ${tag}`}
                  act={keep.bind(
                    null,
                    tags.filter((other) => other !== tag),
                  )}
                >
                  {tag} <X aria-hidden />
                </ActionButton>
              </li>
            ))}
          </ul>
        )}
        <ActionForm action={add} basis={tags.join('\n')} className="flex flex-wrap items-end gap-2">
          <Field label="New tag" name="tag" hideLabel className="min-w-0 flex-1">
            <Input required maxLength={50} placeholder="New tag" autoComplete="off" />
          </Field>
          <SubmitButton variant="secondary">Add tag</SubmitButton>
        </ActionForm>
      </div>
    </Panel>
  )
}
