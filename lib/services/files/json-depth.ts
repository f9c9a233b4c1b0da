/**
 * The nesting depth of brackets in a JSON text, ignoring strings. It bounds the recursion of code that walks the value later. Linear time.
 */
export function measureDepth(json: string): number {
  let depth = 0
  let deepest = 0
  let isText = false
  for (let at = 0; at < json.length; at += 1) {
    const char = json[at]
    if (char === '"') isText = !isText
    else if (isText && char === '\\') at += 1
    else if (!isText && (char === '[' || char === '{')) deepest = Math.max(deepest, ++depth)
    else if (!isText && (char === ']' || char === '}')) depth -= 1
  }
  return deepest
}
