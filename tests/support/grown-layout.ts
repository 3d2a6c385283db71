import type { CollectionName } from '#schemas/collections/collections.ts'
import type { Step } from '#schemas/migrations/step.ts'
import type { Layout } from '#data/user-stores/open-stores.ts'

const grow: Step = (document) => ({ ...document, grown: 'yes' })

/** A layout one version on: these collections (all, when none are named) have one field more. */
export function grownLayout(
  { schemas, migrations }: Layout,
  step: Step = grow,
  names = Object.keys(schemas) as CollectionName[],
): Layout {
  const grown = names.map((name) => {
    const { version, properties, ...schema } = schemas[name]
    return [
      name,
      { ...schema, version: version + 1, properties: { ...properties, grown: { type: 'string' } } },
    ]
  })
  return {
    schemas: { ...schemas, ...Object.fromEntries(grown) } as Layout['schemas'],
    migrations: {
      ...migrations,
      ...Object.fromEntries(
        names.map((name) => [name, { ...migrations[name], [schemas[name].version + 1]: step }]),
      ),
    },
  }
}
