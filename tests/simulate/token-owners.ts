/** Whose call it is, by its access token: learned from the logins and refreshes that the network sees. */
import type { Answer } from '#sync/transport/outcome.ts'
import type { HttpCall } from '#sync/transport/http.ts'
import { LOGIN_URL, REFRESH_URL } from './model-crm.ts'

export class TokenOwners {
  private readonly userOfToken = new Map<string, string>()
  private readonly userOfRefresh = new Map<string, string>()

  userOf({ headers = {} }: HttpCall): string {
    return this.userOfToken.get((headers['Authorization'] ?? '').replace('Bearer ', '')) ?? ''
  }

  learn({ url, body = '' }: HttpCall, answer: Answer): void {
    if (answer.kind !== 'answer' || answer.status !== 200) return
    const pair = answer.body as { accessToken: string; refreshToken: string; userInfo?: { id: string } }
    const user =
      url === LOGIN_URL
        ? pair.userInfo?.id
        : url === REFRESH_URL && this.userOfRefresh.get((JSON.parse(body) as typeof pair).refreshToken)
    if (!user) return
    this.userOfToken.set(pair.accessToken, user)
    this.userOfRefresh.set(pair.refreshToken, user)
  }
}
