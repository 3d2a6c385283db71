import { expect, test } from 'vitest'
import { derivedSchemas } from '#schemas/rx-schemas.ts'

test('[decision 0028] the schemas the database is opened with are those of the records’ definitions', async () => {
  const written = `${JSON.stringify(derivedSchemas, null, 2)}\n`
  await expect(written, 'npm run schemas writes them anew').toMatchFileSnapshot(
    '../../schemas/rx-schemas.json',
  )
})
