// Starts the page.
import { render } from 'preact';
import { App } from './app.tsx';
import { greet, refreshed, startLive } from './data/live.ts';
import { link } from './data/state.ts';
import { adoptToken, tokenNow, useToken } from './data/server.ts';

// A new tab has no token of its own: it asks the others, which are the same page of the same server. A server that
// asks for none has answered by then.
function shareToken(): void {
  const channel = new BroadcastChannel('weft.token');
  channel.onmessage = ({ data }: MessageEvent<{ wanted?: true; token?: string }>) => {
    const own = tokenNow();
    if (data.wanted && own) channel.postMessage({ token: own });
    if (!data.token || own) return;
    useToken(data.token);
    link.value = 'connecting';
    refreshed.value++;  // what was refused is asked again
    void greet();
  };
  if (!tokenNow()) channel.postMessage({ wanted: true });
}

adoptToken();
shareToken();
render(<App />, document.getElementById('page')!);
void greet();
startLive();
