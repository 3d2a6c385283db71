/** Every schema of the document by its name: of the declared resources, of what is only read. */
import { declared } from '#schemas/collections/declared.ts'
import { bodySchema, quickReportBodies, rowSchema } from './declared-schemas.ts'
import { declaredNames } from './declared-operations.ts'
import { readSchemas } from './read-schemas.ts'
import { id, object, text, type Schema } from './schema.ts'

/** What a creating call tells: the id, and where photos go. */
function madeSchema(told: object): Schema {
  const names = Object.keys(told).filter((name) => name === 'name' || name.endsWith('FolderId'))
  return object({ id, ...Object.fromEntries(names.map((name) => [name, text])) }, ['id', ...names])
}

const ofDeclared = declaredNames.flatMap(({ declaration, name }): [string, Schema | null][] => [
  [name, rowSchema(declaration)],
  [`${name}Create`, bodySchema(declaration, 'create')],
  [`${name}Edit`, bodySchema(declaration, 'edit')],
  [`${name}Made`, madeSchema(declaration.crmOnlyFields)],
])

export const contractSchemas: Record<string, Schema> = {
  ...readSchemas,
  QuickReport: rowSchema(declared.quickReports),
  ...quickReportBodies,
  ...Object.fromEntries(ofDeclared.flatMap(([name, schema]) => (schema ? [[name, schema]] : []))),
}
