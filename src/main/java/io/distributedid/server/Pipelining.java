package io.distributedid.server;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.util.ReferenceCountUtil;

/**
 * Counts the requests of a connection with HTTP/1.1 whose answers its client has not taken. Vert.x reads on while
 * requests wait and while answers are not taken, and keeps them all. So the connection is closed at the next request
 * when there are too many, or when their answers fill the buffer of the channel. For one event loop.
 */
final class Pipelining extends ChannelDuplexHandler {

    /** So many requests a client may send before it takes an answer. */
    static final int MOST = 16;

    private int untaken;

    private boolean isClosed;

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (message instanceof HttpRequest
                && (++untaken > MOST || !context.channel().isWritable())) {
            isClosed = true;
            ChannelFuture unused = context.close();
        }
        if (isClosed) {
            ReferenceCountUtil.release(message);
        } else {
            context.fireChannelRead(message);
        }
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        ChannelPromise taken = promise.unvoid();
        if (message instanceof HttpResponse answer && !answer.status().equals(HttpResponseStatus.CONTINUE)) {
            taken.addListener(done -> untaken--);
        }
        ChannelFuture unused = context.write(message, taken);
    }
}
