import { TemplateEditor } from '#components/messages/template-editor'
import { TemplateTable } from '#components/messages/template-table'
import { SequenceEditor } from '#components/sequence/sequence-editor'
import { NOW, PROFILES, STEPS, TEMPLATES } from './sample-data.ts'
import {
  actSample,
  attachSample,
  listSampleTemplates,
  previewNothing,
  readSampleTemplate,
  renderSample,
  renderSteps,
  saveSample,
  saveStepsSample,
  uploadNothing,
  uploadSample,
} from './samples.ts'

const OFFERED = { any: true, list: listSampleTemplates, read: readSampleTemplate }
const FIELDS = ['email', 'first_name', 'last_name', 'company', 'city']

export function Sequence() {
  return (
    <>
      <SequenceEditor
        view="list"
        version={1}
        campaign_id="sample"
        steps={STEPS}
        connected_account_id={null}
        type="mixed"
        accounts={[]}
        templates={TEMPLATES}
        profiles={PROFILES}
        fields={FIELDS}
        leads={3}
        locked={null}
        pause={null}
        reached={0}
        isLive={false}
        save={saveStepsSample}
        undo={actSample}
        preview={previewNothing}
        render={renderSteps}
        rendered={null}
        sendTest={saveSample}
        keepTemplate={saveSample}
        uploadImage={uploadNothing}
        offered={OFFERED}
        loadNumbers={null}
      />
      <TemplateTable
        uses={{}}
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
        files={[]}
        leadFiles={[]}
        attach={{ start: uploadSample, keep: attachSample }}
        offered={OFFERED}
        save={saveSample}
        render={renderSample}
        fields={FIELDS}
        leads={3}
      />
    </>
  )
}
