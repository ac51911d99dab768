/** A chart as SVG markup. */
export interface Drawing {
  readonly markup: string
  /** The y coordinate at which the chart ends. */
  readonly bottom: number
  /** The chart in words, for readers who do not see it. */
  readonly description: string
}

type Attributes = Readonly<Record<string, string | number>>

/** Returns an element of SVG or HTML as text; the content is markup. */
export function element(name: string, attributes: Attributes, content = ''): string {
  const written = Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${escapeMarkup(String(value))}"`)
    .join('')
  return content === '' ? `<${name}${written}/>` : `<${name}${written}>${content}</${name}>`
}

export function label(text: string, attributes: Attributes): string {
  return element('text', attributes, escapeMarkup(text))
}

/** Returns a faint text that is centered on a point. */
export function caption(text: string, x: number, y: number): string {
  return label(text, { x, y, 'text-anchor': 'middle', class: 'faint' })
}

/** Escapes text for the content and the attributes of elements. */
export function escapeMarkup(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

export function place(value: number): number {
  return Math.round(value * 10) / 10
}
