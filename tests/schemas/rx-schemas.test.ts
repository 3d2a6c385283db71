import { expect, test } from 'vitest'
import type { Declaration } from '#schemas/declare/declare.ts'
import { declared } from '#schemas/collections/declared.ts'
import { derivedSchemas } from '#build/rx-schemas.ts'

test('[decisions/speed] the schemas the database is opened with are those of the records’ definitions', async () => {
  const written = `${JSON.stringify(derivedSchemas, null, 2)}\n`
  await expect(written, 'npm run schemas writes them anew').toMatchFileSnapshot(
    '../../schemas/collections/rx-schemas.json',
  )
})

test('[decisions/resources] what the first screen has of the declarations is what they say', async () => {
  const facts = Object.entries<Declaration>(declared).map(([name, { slug, path, owner, list, offline }]) => [
    name,
    { slug, path, owner, list, offline },
  ])
  const written = `${JSON.stringify(Object.fromEntries(facts), null, 2)}\n`
  await expect(written, 'npm run schemas writes them anew').toMatchFileSnapshot(
    '../../schemas/collections/declared-facts.json',
  )
})
