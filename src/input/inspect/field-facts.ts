import { type FieldNode, type FieldTree, TYPE, VALUE_TYPES, type ValueType } from './field-node.js'
import { Findings, type FindingsByKind } from './findings.js'

/** What the events of a run hold in a field. */
export interface FieldFacts {
  readonly field: string
  /** How many events have a value there. */
  readonly events: number
  /** In the order in which they came. */
  readonly types: readonly TypeFacts[]
  /** Whether there are values of types that have nothing in common; all numbers have. */
  readonly hasDrift: boolean
}

interface TypeFacts {
  readonly type: ValueType
  readonly events: number
  /** Where the first one stands. */
  readonly first: string
}

const NUMBERS: readonly ValueType[] = ['integer', 'float']

/** All fields that were seen, in the order in which they came. */
export function fieldFacts(tree: FieldTree): readonly FieldFacts[] {
  const byName = new Map<string, FieldNode[]>()
  for (const node of tree.nodes()) add(byName, node)
  if (tree.others.firsts.length > 0) add(byName, tree.others)
  return Array.from(byName, ([field, nodes]) => factsOf(field, nodes)).filter(
    ({ types }) => types.length > 0,
  )
}

/** `{"a": {"b": 1}}` and `{"a.b": 1}` hold one field. */
function add(byName: Map<string, FieldNode[]>, node: FieldNode): void {
  const name = node.path.join('.')
  const others = byName.get(name)
  if (others === undefined) byName.set(name, [node])
  else others.push(node)
}

function factsOf(field: string, nodes: readonly FieldNode[]): FieldFacts {
  const types = new Map<ValueType, TypeFacts>()
  for (const { counts, firsts } of nodes) {
    for (const { type, at } of firsts) {
      // What has fields of its own is an object only beside values of another type.
      const name = type === TYPE.group ? 'object' : VALUE_TYPES[type]!
      const known = types.get(name)
      const events = (known?.events ?? 0) + counts[type]!
      types.set(name, { type: name, events, first: known?.first ?? at })
    }
  }
  const isOnlyGroup =
    nodes.every(({ firsts }) =>
      firsts.every(({ type }) => type === TYPE.group || type === TYPE.null),
    ) && nodes.some(({ counts }) => counts[TYPE.group]! > 0)
  const values = [...types.values()].filter(({ type }) => type !== 'null')
  const kinds = new Set(values.map(({ type }) => (NUMBERS.includes(type) ? 'number' : type)))
  return {
    field,
    events: values.reduce((sum, { events }) => sum + events, 0),
    types: isOnlyGroup ? [] : [...types.values()],
    hasDrift: !isOnlyGroup && kinds.size > 1,
  }
}

/** Hosted services refuse a longer name; the local one takes it. */
const LONGEST_HOSTED_NAME = 200

/** Fields whose names are too long for a hosted service. */
export function longNames(fields: readonly FieldFacts[]): readonly FindingsByKind[] {
  const findings = new Findings()
  for (const { field, events, types } of fields) {
    const bytes = Buffer.byteLength(field)
    if (bytes <= LONGEST_HOSTED_NAME || types[0] === undefined) continue
    const reason = `the field name \`${field.slice(0, 40)}…\` has ${bytes} bytes`
    findings.add('name-too-long', { at: types[0].first, reason }, events)
  }
  return findings.list()
}
