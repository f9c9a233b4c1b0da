/** Whose password a form is about, for password managers alone: they file the new one under it. */
export const KnownAddress = ({ email }: { email: string }) => (
  <input type="email" autoComplete="username" value={email} readOnly hidden />
)
