/** Releases to put on a host: the build as it is, and others made of it. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { writeHeaders } from '#build/about.ts'
import { contentPolicies } from '#build/content-policy.ts'
import { putInPlace } from '../e2e/deployed-site.ts'

const root = resolve(import.meta.dirname, '../..')
const META = /(<meta http-equiv="Content-Security-Policy" content=")[^"]*/g

/** With `dist` and `dist-about`. */
export interface Release {
  folder: string
  remove(): void
}

export function thisBuild(): Release {
  const folder = mkdtempSync(join(tmpdir(), 'genba-release-'))
  for (const each of ['dist', 'dist-about'])
    cpSync(join(root, each), join(folder, each), {
      recursive: true,
      filter: (path) => !path.endsWith('.map'),
    })
  return { folder, remove: () => rmSync(folder, { recursive: true }) }
}

/** Another version, whose page has another script in it, and so other hashes in its policy. */
export function nextBuild(version: string): Release {
  const { folder, remove } = thisBuild()
  rmSync(join(folder, 'dist'), { recursive: true })
  // what is compressed beside a file is of the file as it was
  const isOwn = (path: string) => !/\.(?:br|gz)$/.test(path)
  cpSync(join(root, 'dist'), join(folder, 'dist'), { recursive: true, filter: isOwn })
  const page = join(folder, 'dist/index.html')
  const changed = readFileSync(page, 'utf8').replace('<script>', `<script>/* ${version} */`)
  const policies = contentPolicies(changed, ['/'])
  const html = changed.replace(META, (_, start: string) => `${start}${policies.shift()}`)
  writeFileSync(page, html)
  const says = join(folder, 'dist/version.json')
  writeFileSync(says, readFileSync(says, 'utf8').replace(/"build":"\w+"/, `"build":"next"`))
  putInPlace(join(folder, 'dist'), version)
  writeHeaders(join(folder, 'dist-about'), readFileSync(page, 'utf8'))
  return { folder, remove }
}
