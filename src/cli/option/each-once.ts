/** Returns a function that passes each message on the first time only. */
export function eachOnce(say: (text: string) => void): (text: string) => void {
  const said = new Set<string>()
  return (text) => {
    if (!said.has(text)) say(text)
    said.add(text)
  }
}
