/** What the app is made of: a bill of materials (CycloneDX, by npm itself) and the licences of what it ships. */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Component {
  name: string
  version: string
}

/** @returns CycloneDX as JSON, of everything but what only development needs */
export function billOfMaterials(root: string): string {
  const { status, stdout, stderr } = spawnSync(
    'npm',
    [
      'sbom',
      '--sbom-format',
      'cyclonedx',
      '--sbom-type',
      'application',
      '--omit',
      'dev',
      '--package-lock-only',
    ],
    { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024, shell: process.platform === 'win32' },
  )
  if (status !== 0) throw new Error(`npm sbom: ${stderr}`)
  return stdout
}

/** The licence texts of these components, as their packages carry them. */
export function licences(root: string, bill: string): string {
  const { components } = JSON.parse(bill) as { components: Component[] }
  return components.map((each) => licenceOf(root, each)).join('\n\n')
}

function licenceOf(root: string, { name, version }: Component): string {
  const folder = join(root, 'node_modules', name)
  const title = `${name} ${version}`
  if (!existsSync(folder)) return `${title}\n(not installed here)`
  const { license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { license?: string }
  // A package of a font has one for the font, too.
  const files = readdirSync(folder).filter((each) => /^licen[cs]e/i.test(each))
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim())
  return [`${title}\n${license ?? ''}`, ...texts].join('\n\n').trim()
}
