import { type Mutant, told } from '#tests/simulation/mutant'

/** People who are added to a running campaign. */
export const ROW_MUTANTS: Mutant[] = [
  told(
    'tests/api/leads/added-leads',
    'whoever a campaign has under an address is added once more',
    'lib/services/leads/enrolment-rule.ts',
    'AND o.email = r.email AND o.campaign_id',
    "AND o.email = r.email AND o.status = 'failed' AND o.campaign_id",
  ),
  told(
    'tests/api/leads/added-leads',
    'who replied elsewhere is added all the same',
    'lib/services/leads/enrolment-rule.ts',
    "AND replied.status = 'replied' AND replied.email = r.email AND replied.campaign_id",
    "AND replied.status = 'failed' AND replied.email = r.email AND replied.campaign_id",
  ),
  told(
    'tests/api/leads/added-leads',
    'a campaign that has nobody left stays so when leads are added',
    'lib/services/leads/rows/add-leads.ts',
    'if (rowCount) await goOn(',
    'if (!rowCount) await goOn(',
  ),
  told(
    'tests/api/leads/rows-under-campaigns',
    'a removed row leaves its leads waiting',
    'lib/services/leads/rows/edit-row.ts',
    'await loseRows(client, campaignIds, removed, now)',
    'await loseRows(client, [], removed, now)',
  ),
]
