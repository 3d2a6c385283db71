/** The configuration of crm-contract 1, from Vite's environment. A missing value is logged by name, once, at start. */
const VARIABLES = {
  apiEndpoint: 'VITE_API_ENDPOINT',
  crmEndpoint: 'VITE_CRM_ENDPOINT',
  securityEndpoint: 'VITE_SECURITY_ENDPOINT',
  securityKey: 'VITE_SECURITY_KEY',
  fileStoreEndpoint: 'VITE_FILE_STORE_ENDPOINT',
  fileStoreErrorLogFolder: 'VITE_FILE_STORE_ERROR_LOG_FOLDER',
  imageSizeLimit: 'VITE_IMAGE_SIZE_LIMIT',
  appName: 'VITE_APP_NAME',
} as const

export type Env = Record<keyof typeof VARIABLES, string>

/**
 * @param vars `import.meta.env`
 * @param log told of each missing variable
 */
export function readEnv(vars: Record<string, unknown>, log: (message: string) => void): Env {
  const entries = Object.entries(VARIABLES).map(([name, variable]) => {
    const value = vars[variable]
    if (typeof value === 'string' && value !== '') return [name, value]
    log(`設定 ${variable} がありません`)
    return [name, '']
  })
  return Object.fromEntries(entries) as Env
}
