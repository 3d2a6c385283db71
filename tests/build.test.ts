/** What the build makes sure of, by its own functions (.build): the policy, the values, the hashes. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { contentPolicies, headersFor, headersOfCodeReader, withPolicy } from '#build/content-policy.ts'
import { scopedNames } from '#build/later-styles.ts'
import { problemsOf } from '#build/own-values.ts'
import { integrityOf } from '#build/precache.ts'

const PAGE =
  '<meta charset="utf-8" /><style>a{}</style><script>one()</script><script type="module" src="/assets/a.js"></script>'

describe('[decisions/hosting] the policy of a page', () => {
  test('names what stands in it by its hash, allows no other text, and says where it may call', () => {
    const [policy, folders] = contentPolicies(PAGE, ['https://crm.example/api/v1', '/doccloud'])
    expect(policy).not.toMatch(/unsafe|http:/)
    expect(folders).not.toContain('unsafe')
    expect(policy).not.toContain('*')
    expect(policy).toMatch(/script-src 'self' 'sha256-[\w+/]{43}='; style-src 'sha256-[\w+/]{43}=';/)
    // on this origin are the answers of the CRM, too: both policies hold, and the second names folders
    expect(folders).toMatch(
      /^script-src (?:https?:\/\/\*:\*\/assets\/ ){2}'sha256-[\w+/]{43}='; worker-src (?:https?:\/\/\*:\*\/assets\/ ?){2}(?: ?https?:\/\/\*:\*\/sw\.js){2};/,
    )
    expect(policy).toMatch(/trusted-types [\w-]+$/)
    expect(policy).not.toMatch(/trusted-types.*default|allow-duplicates/)
    expect(policy).toContain("connect-src 'self' https://crm.example;")
    expect(policy).toContain("require-trusted-types-for 'script'")
    expect(policy).toContain("default-src 'none'")
  })

  test('is another one for another script', () =>
    expect(contentPolicies(PAGE.replace('one()', 'two()'), [])).not.toEqual(contentPolicies(PAGE, [])))

  test('stands in the page, and in the headers with what only a header can say', () => {
    const page = withPolicy(PAGE, [])
    const [policy, folders] = contentPolicies(PAGE, [])
    for (const each of [policy, folders]) expect(page).toContain(`content="${each}"`)
    expect(headersFor(page)).toMatchObject({
      'Content-Security-Policy': `${policy}; frame-ancestors 'self', ${folders}`,
      'X-Content-Type-Options': 'nosniff',
      'Cross-Origin-Opener-Policy': 'same-origin',
    })
    expect(() => headersFor(PAGE)).toThrow('Content-Security-Policy')
  })

  test('[decisions/camera] lets the reader of codes compile WebAssembly and load nothing, and nobody else compile any', () => {
    const headers = headersFor(withPolicy(PAGE, []))
    expect(headers['Content-Security-Policy']).not.toContain('wasm')
    const { 'Content-Security-Policy': policy, ...others } = headersOfCodeReader(headers)
    expect(policy).toBe("default-src 'none'; script-src 'wasm-unsafe-eval'; frame-ancestors 'none'")
    expect(headers).toMatchObject(others)
  })
})

describe('a production build', () => {
  const own = {
    VITE_API_ENDPOINT: 'https://crm.example/api/v1',
    VITE_CRM_ENDPOINT: 'crm',
    VITE_SECURITY_ENDPOINT: 'security',
    VITE_SECURITY_KEY: 'own',
    VITE_FILE_STORE_ENDPOINT: 'https://files.example',
    VITE_FILE_STORE_ERROR_LOG_FOLDER: 'logs',
  }

  test('needs all of its own values, and says which are missing', () => {
    expect(problemsOf(own)).toEqual([])
    // all of them come from config.json
    expect(problemsOf({})).toEqual([])
    for (const name of Object.keys(own))
      expect(problemsOf({ ...own, [name]: '' })).toEqual([`${name} がありません`])
    expect(problemsOf({ ...own, VITE_SECURITY_KEY: 'demo-key' }).join()).toContain('demo-key')
  })

  // the example of the standard (Subresource Integrity, 3.1)
  test('lists a file by the hash that a browser checks', () =>
    expect(integrityOf(Buffer.from("alert('Hello, world.');"))).toBe(
      'sha384-H8BRh8j48O9oYatfu5AZzq6A9RINhZO5H16dQZngK7T62em8MUt1FLm52t+eX6xO',
    ))

  test('is made of exact versions', () => {
    const text = readFileSync(resolve(import.meta.dirname, '../package.json'), 'utf8')
    const { dependencies, devDependencies } = JSON.parse(text) as Record<string, Record<string, string>>
    const versions = Object.values({ ...dependencies, ...devDependencies })
    expect(versions.length).toBeGreaterThan(40)
    expect(versions.filter((version) => !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version))).toEqual([])
  })
})

describe('[decisions/speed] styles that come later', () => {
  test('have the names that a style sheet would give them, every one that a screen says', () => {
    const text = (file: string) => readFileSync(resolve(import.meta.dirname, '../src', file), 'utf8')
    const names = scopedNames(text('ui/photo/photo.module.css'), '/x/photo.module.css')
    const screens = [
      'ui/photo/photo.tsx',
      'features/photo/photos-field.tsx',
      'features/photo/form-camera.tsx',
    ]
    const said = screens.flatMap((file) => [...text(file).matchAll(/styles\.(\w+)/g)])
    expect(said.length).toBeGreaterThan(5)
    for (const [, name = ''] of said) expect(names[name]).toBe(`photo_${name}`)
    expect(scopedNames('.job-failed .why{}', '/x/queue.module.css')).toEqual({
      'job-failed': 'queue_job-failed',
      why: 'queue_why',
    })
  })
})
