import { beforeEach, describe, expect, test } from 'vitest'
import { ReadCampaign, UpdateCampaign } from '#lib/contracts/campaigns/campaigns'
import { PreviewStep } from '#lib/contracts/campaigns/step-previews'
import {
  CreateTemplate,
  DeleteTemplate,
  ListTemplates,
  ReadTemplate,
  UpdateTemplate,
} from '#lib/contracts/messages/templates'
import { PreviewPersonalization } from '#lib/contracts/personalize/personalize'
import { ReadAgency } from '#lib/contracts/workspaces/agency'
import { Search } from '#lib/contracts/workspaces/search'
import { db } from '#lib/db/client'
import { launchCampaign } from '#lib/services/launch/lifecycle'
import { templateUses } from '#lib/services/messages/references'
import { call } from '#tests/support/call'
import { aCampaign, aMailbox, aTemplate, aUser } from '#tests/support/scenes/factories'

type Person = Awaited<ReturnType<typeof aUser>>

let parent: Person
let child: Person
let sibling: Person
let template_id: string

const under = (workspace_id: string, parent_workspace_id: string | null) =>
  db.workspace.update({ where: { workspace_id }, data: { parent_workspace_id } })
const naming = (id = template_id) => ({ steps_config: [{ variants: [{ label: 'A', template_id: id }] }] })
const share = (is_shared: boolean) =>
  call(UpdateTemplate, { as: parent, params: { template_id }, body: { is_shared } })
const listed = async (as: Person) =>
  (await call(ListTemplates, { as })).body.templates.map((one) => one.template_id)
const outcome = ({ status, error }: { status: number; error: { detail?: unknown } }) => [status, error.detail]
const launched = async (owner: Person) => {
  await aMailbox(owner)
  const { campaign_id } = await aCampaign(owner, naming())
  await launchCampaign(owner.workspace_id, campaign_id, null, new Date())
  return campaign_id
}
const subjectIn = async (as: Person, campaign_id: string) =>
  (await call(PreviewStep, { as, params: { campaign_id }, body: { step: 1, lead_index: 0 } })).body.subject

beforeEach(async () => {
  parent = await aUser()
  child = await aUser()
  sibling = await aUser()
  await under(child.workspace_id, parent.workspace_id)
  await under(sibling.workspace_id, parent.workspace_id)
  template_id = (await aTemplate(parent, { subject: 'From above' })).template_id
  await share(true)
})

test('a shared template is listed, read and found in the children, marked with its parent', async () => {
  const inherited_from = { workspace_id: parent.workspace_id, name: expect.any(String) }
  for (const as of [child, sibling]) {
    const { body } = await call(ReadTemplate, { as, params: { template_id } })
    expect(body).toMatchObject({ inherited_from, workspace_id: parent.workspace_id, is_shared: true })
    expect((await call(ListTemplates, { as })).body).toEqual({ templates: [body], total: 1 })
    const found = await call(Search, { as, query: { q: 'First' } })
    expect(found.body.templates).toMatchObject([{ template_id }])
  }
  expect((await call(ReadTemplate, { as: parent, params: { template_id } })).body.inherited_from).toBeNull()
})

test('what is not shared, a child’s own and a stranger’s are seen by their workspace alone', async () => {
  const unshared = await aTemplate(parent)
  const own = await call(CreateTemplate, {
    as: child,
    body: { name: 'Mine', content: { subject: 'S', body: 'B' }, is_shared: true },
  })
  const foreign = await aTemplate(await aUser())
  expect(await listed(child)).toEqual([own.body.template_id, template_id])
  expect(await listed(sibling)).toEqual([template_id])
  expect(await listed(parent)).toEqual([unshared.template_id, template_id])
  for (const [as, id] of [
    [child, unshared.template_id],
    [child, foreign.template_id],
    [sibling, own.body.template_id],
    [parent, own.body.template_id],
  ] as const) {
    const params = { template_id: id }
    expect(outcome(await call(ReadTemplate, { as, params }))).toEqual([404, 'template_not_found'])
    expect(outcome(await call(DeleteTemplate, { as, params }))).toEqual([404, 'template_not_found'])
    await expect(aCampaign(as, naming(id))).rejects.toThrow('the template does not exist')
  }
})

const campaignRead = async (as: Person, campaign_id: string) =>
  (await call(ReadCampaign, { as, params: { campaign_id } })).body

test('409 changing or deleting it in a child, and it is as it was', async () => {
  const params = { template_id }
  const changed = await call(UpdateTemplate, { as: child, params, body: { name: 'Ours now' } })
  expect(outcome(changed)).toEqual([409, 'template_inherited'])
  expect(outcome(await call(DeleteTemplate, { as: child, params }))).toEqual([409, 'template_inherited'])
  expect((await call(ReadTemplate, { as: parent, params })).body.name).toBe('First touch')
})

describe('a campaign of a child', () => {
  test('follows it as a draft, and keeps the text that it was launched with', async () => {
    const { campaign_id } = await aCampaign(child, naming())
    expect(await subjectIn(child, campaign_id)).toBe('From above')
    const running = await launched(child)
    const changed = await call(UpdateTemplate, {
      as: parent,
      params: { template_id },
      body: { content: { subject: 'Later' } },
    })
    expect(changed.body.older_in).toEqual([])
    expect(await subjectIn(child, campaign_id)).toBe('Later')
    expect(await subjectIn(child, running)).toBe('From above')
  })

  test('keeps the text and can be edited once the template is no longer shared; a draft cannot take it any more', async () => {
    const running = await launched(child)
    const { campaign_id } = await aCampaign(child, naming())
    await share(false)
    expect(await subjectIn(child, running)).toBe('From above')
    const steps_config = [...(await campaignRead(child, running)).steps_config, { message_template: 'More' }]
    const edit = (id: string) =>
      call(UpdateCampaign, { as: child, params: { campaign_id: id }, body: { steps_config } })
    await db.campaign.update({
      where: { campaign_id: running },
      data: { status: 'paused', paused_from: 'active' },
    })
    expect((await edit(running)).status).toBe(200)
    expect((await edit(campaign_id)).status).toBe(422)
  })

  test('has what it writes for each lead begin with the shared text', async () => {
    const { dataset_id } = await aCampaign(child, naming())
    const tried = (as: Person, id: string) =>
      call(PreviewPersonalization, { as, body: { dataset_id: id, template_id, lead_indexes: [0] } })
    expect((await tried(child, dataset_id)).status).toBe(200)
    await share(false)
    expect(outcome(await tried(child, dataset_id))).toEqual([404, 'template_not_found'])
  })

  test('holds the template while it is shared and the campaign runs; a draft does not', async () => {
    const params = { template_id }
    await aCampaign(sibling, naming())
    const running = await launched(child)
    expect(await templateUses(parent.workspace_id, [template_id])).toEqual(new Map([[template_id, 2]]))
    expect(await templateUses(child.workspace_id, [template_id])).toEqual(new Map([[template_id, 1]]))
    expect(outcome(await call(DeleteTemplate, { as: parent, params }))).toEqual([409, 'template_in_use'])
    await share(false)
    expect((await call(DeleteTemplate, { as: parent, params })).status).toBe(204)
    expect(await subjectIn(child, running)).toBe('From above')
  })
})

test('leaving says before which campaigns keep their text and which lose it', async () => {
  const running = await launched(child)
  const { campaign_id } = await aCampaign(child, naming())
  await aCampaign(child)
  const read = async (as: Person) =>
    (await call(ReadAgency, { as, params: { workspace_id: as.workspace_id } })).body
  expect((await read(child)).template_campaigns).toMatchObject([
    { campaign_id, keeps_text: false },
    { campaign_id: running, keeps_text: true },
  ])
  expect((await read(sibling)).template_campaigns).toEqual([])
  const { children, template_campaigns } = await read(parent)
  expect(template_campaigns).toEqual([])
  expect(new Map(children.map((one) => [one.workspace_id, one.drafts_with_templates]))).toEqual(
    new Map([
      [child.workspace_id, 1],
      [sibling.workspace_id, 0],
    ]),
  )
  await under(child.workspace_id, null)
  expect(await listed(child)).toEqual([])
  expect(await subjectIn(child, running)).toBe('From above')
})
