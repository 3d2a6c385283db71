import extractor from '@lingui/cli/api/extractors/babel'
import { defineConfig } from '@lingui/conf'
import { formatter } from '@lingui/format-po'
import { codeLabels } from './.build/code-labels.ts'

export default defineConfig({
  sourceLocale: 'ja',
  locales: ['ja', 'ja-x-easy', 'en', 'vi', 'id'],
  catalogs: [{ path: '<rootDir>/src/locales/{locale}', include: ['src', 'schemas/codes.ts'] }],
  extractors: [codeLabels, extractor],
  format: formatter({ lineNumbers: false, origins: false }),
})
