package io.distributedid.backend.remote;

import io.distributedid.IdConfigurationException;

/** A server refuses a parameter of a request, such as a number of ids above its limit. */
final class ParameterRefusedException extends IdConfigurationException {

    private static final long serialVersionUID = 1;

    ParameterRefusedException(String message) {
        super(message);
    }
}
