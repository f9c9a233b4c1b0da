/** Begins what stands where a provider's name of an account would, until somebody signs in to it again. */
export const IMPORTED_ACCOUNT = 'imported:'

/** Whether no provider knows it by that name. */
export const isImportedAccount = (providerAccountId: string): boolean =>
  providerAccountId.startsWith(IMPORTED_ACCOUNT)
