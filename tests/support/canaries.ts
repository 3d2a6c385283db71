/** Documents of every collection in which each text is a canary: a name that nobody would write by chance. */
import { rxSchemas, type CollectionName } from '#schemas/collections/collections.ts'
import { pushCollections } from '#schemas/collections/push-collections.ts'
import { kindNames, sharedKinds, type SharedKind } from '#schemas/collections/shared.ts'

/** Stands in every canary; the rest says where it comes from. */
export const CANARY = 'k4n4r1'

interface Node {
  title?: string
  type?: string | string[]
  enum?: readonly unknown[]
  anyOf?: readonly Node[]
  properties?: Record<string, Node>
  items?: Node
  maxLength?: number
}

/** A time is no name, and which collection it is nobody's. */
const PLAIN: Record<string, unknown> = { savedAt: '2026-11-20T02:00:00.000Z', kind: 'create', unsent: 'yes' }

function valueOf(node: Node, path: string, collection: string): unknown {
  const name = path.slice(path.lastIndexOf('.') + 1)
  if (name in PLAIN) return PLAIN[name]
  if (name === 'resource') return collection === 'photos' ? pushCollections[0] : collection
  // reasons, too, which the CRM words
  if (node.enum) return node.enum.find((one) => one !== '' && one !== 'deleted') ?? node.enum[0]
  if (node.anyOf)
    return valueOf(node.anyOf.find(({ type }) => type === 'string') ?? node.anyOf[0] ?? {}, path, collection)
  if (node.properties || node.type === 'object')
    return Object.fromEntries(
      Object.entries(node.properties ?? { any: { type: 'string' } }).map(([key, each]) => [
        key,
        valueOf(each, `${path}.${key}`, collection),
      ]),
    )
  if (node.type === 'array') return [valueOf(node.items ?? { type: 'string' }, path, collection)]
  if (node.type === 'number' || node.type === 'integer') return 7
  if (node.type === 'boolean') return true
  return `${CANARY}-${collection}-${path}`.slice(0, Math.min(node.maxLength ?? 200, 200))
}

type Stored = CollectionName | SharedKind

const isKind = (name: Stored): name is SharedKind => (kindNames as readonly string[]).includes(name)

/** Of a shared collection the part that is about the kind. */
function schemaOf(name: Stored): Node {
  if (!isKind(name)) return rxSchemas[name] as unknown as Node
  const { anyOf = [] } = rxSchemas[sharedKinds[name].in] as unknown as Node
  const node = anyOf.find(({ title }) => title === name)
  if (!node) throw new Error(`no schema of ${name}`)
  return node
}

/** @returns one document of it, whole */
function canaryOf(name: Stored): Record<string, unknown> {
  const document = valueOf(schemaOf(name), '', name) as Record<string, unknown>
  return name === 'photos' ? { ...document, fileSeq: '', wanted: 'kept' } : document
}

/** Of each collection of records one change that the CRM has refused, of everything else one document. */
export const canariesOf = (name: Stored): Record<string, unknown>[] =>
  name === 'changes'
    ? pushCollections.map((resource) => ({
        ...canaryOf(name),
        id: `${CANARY}-${resource}`,
        ...{ resource, recordKey: canaryOf(resource)['key'], state: 'refused', status: 422 },
      }))
    : [canaryOf(name)]

const shared = new Set<string>(kindNames.map((kind) => sharedKinds[kind].in))

/** Everything that a database has documents of, by the name under which it is asked. */
export const storedNames: readonly Stored[] = [
  ...(Object.keys(rxSchemas) as CollectionName[]).filter((name) => !shared.has(name)),
  ...kindNames,
]

/** How many canaries are in a text. */
export const canariesIn = (text: string): string[] => text.match(new RegExp(`${CANARY}[\\w.-]*`, 'g')) ?? []
