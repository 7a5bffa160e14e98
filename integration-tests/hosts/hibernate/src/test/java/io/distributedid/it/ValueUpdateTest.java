package io.distributedid.it;

import io.distributedid.testkit.ValueUpdateContract;

class ValueUpdateTest extends ValueUpdateContract {}
