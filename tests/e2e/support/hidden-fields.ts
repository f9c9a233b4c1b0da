/** The hidden fields of a form, which a browser without scripts submits too. */
export function hiddenFields(html: string): Record<string, string> {
  const hidden = html.matchAll(/<input type="hidden" name="([^"]+)"(?: value="([^"]*)")?/g)
  return Object.fromEntries([...hidden].map(([, name = '', value = '']) => [name, unescaped(value)]))
}

const unescaped = (value: string) => value.replaceAll('&quot;', '"').replaceAll('&amp;', '&')
