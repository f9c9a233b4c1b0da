/**
 * The endpoints of the documented interface that this API is compatible with, by operation. Its clients may send query
 * parameters that these endpoints do not know; these are ignored. Everywhere else an unknown parameter is refused.
 */
export const DOCUMENTED: ReadonlySet<string> = new Set([
  'listApiKeys',
  'readCurrentUser',
  'agentChat',
  'sendSocialMessage',
  'listCampaigns',
  'listTemplates',
  'renameDataset',
  'createAuthLink',
  'createSenderProfile',
  'applyReferral',
  'listDatasets',
  'previewSpreadsheet',
  'pauseCampaign',
  'createSocialPost',
  'listSocialPosts',
  'readDomainSetup',
  'createPortalSession',
  'listConversations',
  'readDomain',
  'readNotificationPreferences',
  'listGenerations',
])
