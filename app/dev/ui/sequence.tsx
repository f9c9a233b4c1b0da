import { SequenceEditor } from '#components/campaigns/sequence-editor'
import { TemplateEditor } from '#components/templates/template-editor'
import { TemplateTable } from '#components/templates/template-table'
import { NOW, PROFILES, STEPS, TEMPLATES } from './sample-data.ts'
import { actSample, renderSample, renderSteps, saveSample } from './samples.ts'

const FIELDS = ['email', 'first_name', 'last_name', 'company', 'city']

export function Sequence() {
  return (
    <>
      <SequenceEditor
        steps={STEPS}
        templates={TEMPLATES}
        profiles={PROFILES}
        fields={FIELDS}
        leads={3}
        locked={null}
        reached={0}
        save={saveSample}
        render={renderSteps}
        sendTest={saveSample}
      />
      <TemplateTable
        templates={TEMPLATES}
        total={2}
        page={1}
        page_size={20}
        query={{}}
        now={NOW}
        remove={actSample}
      />
      <TemplateEditor
        template={TEMPLATES[0] ?? null}
        save={saveSample}
        render={renderSample}
        fields={FIELDS}
        leads={3}
      />
    </>
  )
}
