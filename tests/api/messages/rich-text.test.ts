import PostalMime from 'postal-mime'
import { afterEach, expect, test } from 'vitest'
import { UpdateCampaign } from '#lib/contracts/campaigns/campaigns'
import { PauseCampaign } from '#lib/contracts/campaigns/lifecycle'
import { StepsConfig } from '#lib/contracts/campaigns/steps'
import { CreateTemplate, RenderTemplate, UpdateTemplate } from '#lib/contracts/messages/templates'
import { db } from '#lib/db/client'
import { storableJson } from '#lib/db/json'
import { dispatchDue } from '#lib/services/sending/run'
import { call } from '#tests/support/call'
import { aCampaign, aMailbox, aTemplate, aUser } from '#tests/support/scenes/factories'
import { dispatchAt, launchedFor, MONDAY } from '#tests/support/scenes/launched'
import { previewMail } from '#tests/support/scenes/previews'
import { aProvider, aSink } from '#tests/support/scenes/smtp'

// Tests share a database: none may leave work behind that another would find due.
afterEach(async () => {
  await db.campaign.deleteMany()
})

const RICH =
  '<p>Hi <strong>{{ first_name | default: "you & yours" }}</strong>,</p><p>two things {for|to} <a href="https://a.test/?a=1&amp;b=2">{{ company }}</a>:</p><ol><li>one</li><li>two &lt; three</li></ol>'

test('a rich text arrives as both parts of one mail, as it was previewed', async () => {
  const sink = await aSink()
  const owner = await aUser()
  await aMailbox(owner, { port: sink.port })
  const steps_config = [{ subject: 'Hello {{ first_name }}', message_template: RICH }]
  const { campaign_id } = await launchedFor(owner, { steps_config }, 1)
  await dispatchDue({ mail: aProvider(), clock: () => MONDAY })
  const preview = await previewMail(owner.workspace_id, campaign_id, { step: 1, lead_index: 0 }, MONDAY)

  const [message] = sink.messages
  expect(message?.raw).toMatch(/^Content-Type: multipart\/alternative/im)
  const { html, text } = await PostalMime.parse(message?.raw ?? '')
  expect(html).toContain('<p>Hi <strong>Lead0</strong>,</p>')
  expect(html).toContain('<a href="https://a.test/?a=1&amp;b=2">')
  expect(html).toContain('<ol><li>one</li><li>two &lt; three</li></ol>')
  expect(text).toMatch(
    /^Hi Lead0,\n\ntwo things (for|to) .+ \(https:\/\/a\.test\/\?a=1&b=2\):\n\n1\. one\n2\. two < three\n\n/,
  )
  expect(html?.trim()).toBe(preview.html.trim())
  expect(text?.trim()).toBe(preview.text.trim())
  for (const part of [html, text]) expect(part).toContain('/unsubscribe/')
})

test('a text is kept as a mail may carry it, and a plain one as it is', async () => {
  const owner = await aUser()
  const hostile =
    '<p onclick="x">Hi {{ first_name | default: "<b>" }}<iframe src=/x></iframe><a href="javascript:x">y</a></p>'
  const lean = '<p>Hi {{ first_name | default: "<b>" }}<a href="#">y</a></p>'
  const plain = 'Hi {{ first_name }}, 1 < 2 & <ada@example.com>\n -- \n'
  const saved = async (body: string) =>
    (await call(CreateTemplate, { as: owner, body: { name: 'x', content: { subject: 'x', body } } })).body
      .content.body
  expect(await saved(hostile)).toBe(lean)
  expect(await saved(RICH)).toBe(RICH)
  expect(await saved(plain)).toBe(plain)
  const { template_id } = await aTemplate(owner)
  const edited = await call(UpdateTemplate, {
    as: owner,
    params: { template_id },
    body: { content: { body: hostile } },
  })
  expect(edited.body.content.body).toBe(lean)
  const { steps_config } = await aCampaign(owner, {
    steps_config: [{ subject: 'x', message_template: hostile }],
  })
  expect(steps_config[0]?.message_template).toBe(lean)
})

test('422 for a script, and for HTML of which nothing can be sent', async () => {
  const owner = await aUser()
  for (const body of ['<p>x</p><script>y</script>', '<!-- <p>x</p> -->', '<iframe><p>x</p></iframe>']) {
    const refused = await call(CreateTemplate, {
      as: owner,
      body: { name: 'x', content: { subject: 'x', body } },
    })
    expect(refused.error.details[0]).toMatchObject({
      loc: ['body', 'content', 'body'],
      type: 'template_invalid',
    })
  }
})

test('a step that leads have had, kept before the list, is no other when it is saved again', async () => {
  const owner = await aUser()
  await aMailbox(owner)
  const { campaign_id } = await launchedFor(owner, {}, 1)
  await dispatchAt(MONDAY)
  const campaign = await db.campaign.findUniqueOrThrow({ where: { campaign_id } })
  const [first, second] = StepsConfig.parse(campaign.steps_config)
  const old = [{ ...first, message_template: '<p onclick="x">a</p>' }, second]
  await call(PauseCampaign, { as: owner, params: { campaign_id } })
  await db.campaign.update({ where: { campaign_id }, data: { steps_config: storableJson(old) } })
  const save = (text: string) =>
    call(UpdateCampaign, {
      as: owner,
      params: { campaign_id },
      body: { name: 'New', steps_config: [{ ...first, message_template: text }, second] },
    })
  expect((await save('<p onclick="x">a</p>')).status).toBe(200)
  expect((await save('<p onclick="x">another</p>')).status).toBe(409)
})

test('the preview of a text has both parts', async () => {
  const owner = await aUser()
  const { body } = await call(RenderTemplate, {
    as: owner,
    body: { subject: 'x', body: '<p>Hi <b>{{ first_name }}</b><script>x</script></p>' },
  })
  expect(body).toMatchObject({ html: '<p>Hi <b>María</b></p>', text: 'Hi María', problems: [] })
})
