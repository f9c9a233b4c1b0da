import { Generation } from '#lib/contracts/personalize/generations'
import type { PersonalizationRunModel } from '#lib/db/generated/models'
import type { MessageTemplate } from '#lib/domain/messages/template'
import { asRecord } from '#lib/domain/text/record'
import { StoredText } from '#lib/services/messages/stored'
import { formOfRun } from '#lib/services/personalize/form'

const Template = StoredText.nullable()
const { claims, flags } = Generation.shape

// The JSON columns of runs and texts, parsed where they are read.

export const storedTemplate = (run: { template: unknown }): MessageTemplate | null =>
  Template.parse(run.template)
export const storedClaims = (row: { claims: unknown }) => claims.parse(row.claims)
export const storedFlags = (row: { flags: unknown }) => flags.parse(row.flags)
/** The dataset row that a text was written from. */
export const storedLead = (row: { lead_snapshot: unknown }) => asRecord(row.lead_snapshot)

/** What all texts of a run are made from. */
export const storedSources = async (run: PersonalizationRunModel) => ({
  template: storedTemplate(run),
  sender: asRecord(run.sender),
  prompt: run.prompt,
  seed: run.campaign_id ?? run.dataset_id,
  step: run.step,
  form: await formOfRun(run),
})
