/** What a phone does that shares files with the installed app (decisions/photos). */
import type { Page } from '@playwright/test'

export interface SharedFile {
  name: string
  mimeType: string
  buffer: Buffer
}

/** As the system does it: a form posted to the address of the manifest. */
export async function share(page: Page, files: readonly SharedFile[]): Promise<void> {
  const parts = files.map(({ name, mimeType, buffer }) => ({
    name,
    mimeType,
    base64: buffer.toString('base64'),
  }))
  const arrived = page.waitForEvent('framenavigated')
  await page.evaluate((all) => {
    const form = Object.assign(document.createElement('form'), {
      method: 'post',
      action: '/share',
      enctype: 'multipart/form-data',
      hidden: true,
    })
    const input = Object.assign(document.createElement('input'), {
      type: 'file',
      name: 'photos',
      multiple: true,
    })
    const transfer = new DataTransfer()
    for (const { name, mimeType, base64 } of all) {
      const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
      transfer.items.add(new File([bytes], name, { type: mimeType }))
    }
    input.files = transfer.files
    form.append(input)
    document.body.append(form)
    form.submit()
  }, parts)
  await arrived
}
