import { expect, test } from 'vitest'
import { testPhoto } from '../../support/render-feature.tsx'
import { file, openForm } from './open-photos.tsx'

test('[spec 9] its position is 確認中 as long as it is looked for, and なし once there is none', async () => {
  let found: (place: string) => void = () => undefined
  const place = () => new Promise<string>((resolve) => (found = resolve))
  const { screen, add } = await openForm({ services: { photo: testPhoto({ place }) } })
  await add(file('a.jpg'))
  expect(await screen.findByText('位置情報 確認中')).toBeDefined()
  expect(screen.queryByText('位置情報 なし')).toBeNull()
  found('')
  expect(await screen.findByText('位置情報 なし')).toBeDefined()
})
