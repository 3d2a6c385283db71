/** Makes the bill of materials (CycloneDX) and the licence texts of all shipped packages. */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Component {
  name: string
  version: string
}

const NPM_SBOM = 'sbom --sbom-format cyclonedx --sbom-type application --omit dev --package-lock-only'

/** @returns CycloneDX as JSON. Packages that only development needs are not included. */
export function billOfMaterials(root: string): string {
  const { status, stdout, stderr } = spawnSync('npm', NPM_SBOM.split(' '), {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    shell: process.platform === 'win32',
  })
  if (status !== 0) throw new Error(`npm sbom: ${stderr}`)
  return stdout
}

export function licences(root: string, bill: string): string {
  const { components } = JSON.parse(bill) as { components: Component[] }
  return components.map((each) => licenceOf(root, each)).join('\n\n')
}

function licenceOf(root: string, { name, version }: Component): string {
  const folder = join(root, 'node_modules', name)
  const title = `${name} ${version}`
  if (!existsSync(folder)) return `${title}\n(not installed here)`
  const { license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { license?: string }
  const files = readdirSync(folder).filter((each) => /^licen[cs]e/i.test(each))
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim())
  return [`${title}\n${license ?? ''}`, ...texts].join('\n\n').trim()
}
